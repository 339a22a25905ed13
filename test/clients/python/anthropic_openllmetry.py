from anthropic import Anthropic
from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

from anthropic_agent import messages_agent
from scenario import own_span, tracing, turns

provider = tracing()
AnthropicInstrumentor().instrument(tracer_provider=provider)
client = Anthropic(max_retries=0)
start = own_span()


def ask(question):
    with start():
        return messages_agent(client, question)


turns(ask)
provider.shutdown()
