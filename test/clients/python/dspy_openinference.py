import dspy
from openinference.instrumentation import using_attributes
from openinference.instrumentation.dspy import DSPyInstrumentor

from scenario import (
    INSTRUCTIONS,
    MODEL_KEY,
    MODEL_URL,
    SESSION,
    TAG,
    USER,
    get_weather,
    tracing,
    turns,
)

provider = tracing()
DSPyInstrumentor().instrument(tracer_provider=provider)
dspy.configure(
    lm=dspy.LM(
        "openai/gpt-4o",
        api_base=f"{MODEL_URL}/v1",
        api_key=MODEL_KEY,
        cache=False,
        num_retries=0,
    )
)
agent = dspy.ReAct(
    dspy.Signature("question -> answer", INSTRUCTIONS), tools=[get_weather], max_iters=3
)


def ask(question):
    with using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return agent(question=question).answer


turns(ask)
provider.shutdown()
