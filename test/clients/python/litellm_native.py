"""LiteLLM's own callback for OpenTelemetry, in the process of an agent."""

import litellm

from scenario import SESSION, TAG, USER, chat_loop, own_span, tracing, turns

provider = tracing()
litellm.callbacks = ["otel"]
start = own_span()


def complete(**request):
    return litellm.completion(
        model="openai/gpt-4o",
        num_retries=0,
        max_retries=0,
        user=USER,
        metadata={"session_id": SESSION, "tags": [TAG]},
        **request,
    )


def ask(question):
    with start():
        return chat_loop(complete, question)


turns(ask)
provider.shutdown()
