from openinference.instrumentation import using_attributes
from openinference.instrumentation.bedrock import BedrockInstrumentor

from bedrock_agent import bedrock_client, converse_agent
from scenario import SESSION, TAG, USER, own_span, tracing, turns

provider = tracing()
BedrockInstrumentor().instrument(tracer_provider=provider)
client = bedrock_client()
start = own_span()


def ask(question):
    with start(), using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return converse_agent(client, question)


turns(ask)
provider.shutdown()
