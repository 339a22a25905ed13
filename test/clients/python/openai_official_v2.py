"""The older official instrumentation, with messages as log records."""

from openai import OpenAI
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

from scenario import chat_agent, logging_events, own_span, tracing, turns

provider = tracing()
logs = logging_events()
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
client = OpenAI(max_retries=0)
start = own_span()


def ask(question):
    with start():
        return chat_agent(client, question)


turns(ask)
provider.shutdown()
logs.shutdown()
