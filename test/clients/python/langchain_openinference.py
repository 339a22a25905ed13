from openinference.instrumentation.langchain import LangChainInstrumentor

from langchain_common import ask
from scenario import tracing, turns

provider = tracing()
LangChainInstrumentor().instrument(tracer_provider=provider)
turns(ask)
provider.shutdown()
