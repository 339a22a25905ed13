from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings

from scenario import AGENT, INSTRUCTIONS, SESSION, TAG, USER, get_weather, tracing, turns

provider = tracing()
agent = Agent(
    "openai-chat:gpt-4o",
    name=AGENT,
    instructions=INSTRUCTIONS,
    tools=[get_weather],
)
Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))


def ask(question):
    return agent.run_sync(
        question,
        conversation_id=SESSION,
        metadata={"user_id": USER, "tags": [TAG]},
    ).output


turns(ask)
provider.shutdown()
