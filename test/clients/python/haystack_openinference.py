from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from openinference.instrumentation import using_attributes
from openinference.instrumentation.haystack import HaystackInstrumentor
from haystack import Pipeline

from scenario import INSTRUCTIONS, SESSION, TAG, USER, get_weather, tracing, turns

provider = tracing()
HaystackInstrumentor().instrument(tracer_provider=provider)
agent = Agent(
    chat_generator=OpenAIChatGenerator(model="gpt-4o", max_retries=0),
    system_prompt=INSTRUCTIONS,
    tools=[create_tool_from_function(get_weather)],
)
pipeline = Pipeline()
pipeline.add_component("agent", agent)


def ask(question):
    with using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        result = pipeline.run({"agent": {"messages": [ChatMessage.from_user(question)]}})
    return result["agent"]["messages"][-1].text


turns(ask)
provider.shutdown()
