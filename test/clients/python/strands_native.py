from strands import Agent, tool
from strands.models.openai import OpenAIModel

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
model = OpenAIModel(
    client_args={"api_key": MODEL_KEY, "base_url": f"{MODEL_URL}/v1", "max_retries": 0},
    model_id="gpt-4o",
)


def ask(question):
    agent = Agent(
        model=model,
        name=AGENT,
        system_prompt=INSTRUCTIONS,
        tools=[tool(get_weather)],
        callback_handler=None,
        trace_attributes={"session.id": SESSION, "user.id": USER, "tag.tags": [TAG]},
    )
    return agent(question)


turns(ask)
provider.shutdown()
