from openai import OpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai import OpenAIInstrumentor

from scenario import SESSION, TAG, USER, chat_agent, own_span, tracing, turns

provider = tracing()
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = OpenAI(max_retries=0)
start = own_span()


def ask(question):
    with start(), using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return chat_agent(client, question)


turns(ask)
provider.shutdown()
