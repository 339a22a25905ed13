from opentelemetry.instrumentation.langchain import LangchainInstrumentor

from langchain_common import ask
from scenario import tracing, turns

provider = tracing()
LangchainInstrumentor().instrument(tracer_provider=provider)
turns(ask)
provider.shutdown()
