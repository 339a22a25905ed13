from openai import OpenAI
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

from scenario import chat_agent, own_span, tracing, turns

provider = tracing()
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = OpenAI(max_retries=0)
start = own_span()


def ask(question):
    with start():
        return chat_agent(client, question)


turns(ask)
provider.shutdown()
