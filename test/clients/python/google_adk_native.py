"""The Agent Development Kit, which exports spans itself."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

from scenario import AGENT, INSTRUCTIONS, SESSION, USER, get_weather, tracing, turns

provider = tracing()
agent = LlmAgent(
    name=AGENT,
    model="gemini-2.5-flash",
    instruction=INSTRUCTIONS,
    tools=[get_weather],
)


async def answer(question):
    runner = InMemoryRunner(agent=agent, app_name="weather")
    await runner.session_service.create_session(
        app_name="weather", user_id=USER, session_id=SESSION
    )
    message = types.Content(role="user", parts=[types.Part(text=question)])
    said = ""
    async for event in runner.run_async(user_id=USER, session_id=SESSION, new_message=message):
        for part in event.content.parts if event.content and event.content.parts else []:
            said += part.text or ""
    return said


turns(lambda question: asyncio.run(answer(question)))
provider.shutdown()
