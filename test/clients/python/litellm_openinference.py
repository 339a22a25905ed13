import litellm
from openinference.instrumentation import using_attributes
from openinference.instrumentation.litellm import LiteLLMInstrumentor

from scenario import SESSION, TAG, USER, chat_loop, own_span, tracing, turns

provider = tracing()
LiteLLMInstrumentor().instrument(tracer_provider=provider)
start = own_span()


def complete(**request):
    return litellm.completion(model="openai/gpt-4o", num_retries=0, max_retries=0, **request)


def ask(question):
    with start(), using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return chat_loop(complete, question)


turns(ask)
provider.shutdown()
