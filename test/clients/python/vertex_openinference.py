from openinference.instrumentation import using_attributes
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor

from scenario import SESSION, TAG, USER, own_span, tracing, turns
from vertex_agent import gemini_agent, vertex_client

provider = tracing()
GoogleGenAIInstrumentor().instrument(tracer_provider=provider)
client = vertex_client()
start = own_span()


def ask(question):
    with start(), using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return gemini_agent(client, question)


turns(ask)
provider.shutdown()
