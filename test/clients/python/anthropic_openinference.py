from anthropic import Anthropic
from openinference.instrumentation import using_attributes
from openinference.instrumentation.anthropic import AnthropicInstrumentor

from anthropic_agent import messages_agent
from scenario import SESSION, TAG, USER, own_span, tracing, turns

provider = tracing()
AnthropicInstrumentor().instrument(tracer_provider=provider)
client = Anthropic(max_retries=0)
start = own_span()


def ask(question):
    with start(), using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return messages_agent(client, question)


turns(ask)
provider.shutdown()
