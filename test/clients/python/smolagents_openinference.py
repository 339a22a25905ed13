from openinference.instrumentation import using_attributes
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIModel, ToolCallingAgent, tool

from scenario import (
    AGENT,
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
SmolagentsInstrumentor().instrument(tracer_provider=provider)
model = OpenAIModel(
    "gpt-4o",
    api_base=f"{MODEL_URL}/v1",
    api_key=MODEL_KEY,
    client_kwargs={"max_retries": 0},
)
agent = ToolCallingAgent(
    tools=[tool(get_weather)],
    model=model,
    name=AGENT,
    description="Knows the weather",
    instructions=INSTRUCTIONS,
    max_steps=3,
)


def ask(question):
    with using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return agent.run(question)


turns(ask)
provider.shutdown()
