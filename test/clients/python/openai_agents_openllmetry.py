from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

from openai_agents_common import ask
from scenario import tracing, turns

provider = tracing()
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
turns(ask)
provider.shutdown()
