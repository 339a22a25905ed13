"""AutoGen, which exports spans of agents and tools; its guide adds OpenLLMetry for the calls."""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

from scenario import AGENT, INSTRUCTIONS, get_weather, tracing, turns

provider = tracing()
OpenAIInstrumentor().instrument(tracer_provider=provider)


async def answer(question):
    client = OpenAIChatCompletionClient(model="gpt-4o", max_retries=0)
    agent = AssistantAgent(
        AGENT,
        model_client=client,
        tools=[get_weather],
        system_message=INSTRUCTIONS,
        reflect_on_tool_use=True,
    )
    return (await agent.run(task=question)).messages[-1].content


turns(lambda question: asyncio.run(answer(question)))
provider.shutdown()
