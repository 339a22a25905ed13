from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

from openai_agents_common import ask
from scenario import SESSION, TAG, USER, tracing, turns

provider = tracing()
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
with using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
    turns(ask)
provider.shutdown()
