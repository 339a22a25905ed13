"""The current official instrumentation, with messages in log events."""

from anthropic import Anthropic
from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor

from anthropic_agent import messages_agent
from scenario import logging_events, own_span, tracing, turns

provider = tracing()
logs = logging_events()
AnthropicInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
client = Anthropic(max_retries=0)
start = own_span()


def ask(question):
    with start():
        return messages_agent(client, question)


turns(ask)
provider.shutdown()
logs.shutdown()
