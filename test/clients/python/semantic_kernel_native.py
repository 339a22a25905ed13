import asyncio

from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

import scenario
from scenario import AGENT, INSTRUCTIONS, MODEL_KEY, logging_events, tracing, turns

provider = tracing()
logs = logging_events()
import logging

from opentelemetry.sdk._logs import LoggingHandler

logging.getLogger().addHandler(LoggingHandler(logger_provider=logs))
logging.getLogger("semantic_kernel").setLevel(logging.INFO)


class Weather:
    @kernel_function(name="get_weather", description="The weather of a city")
    def get_weather(self, city: str) -> str:
        return scenario.get_weather(city)


async def answer(question):
    agent = ChatCompletionAgent(
        service=OpenAIChatCompletion(ai_model_id="gpt-4o", api_key=MODEL_KEY),
        name=AGENT,
        instructions=INSTRUCTIONS,
        plugins=[Weather()],
    )
    return str(await agent.get_response(messages=question))


turns(lambda question: asyncio.run(answer(question)))
provider.shutdown()
logs.shutdown()
