"""An agent of LlamaIndex, which streams the responses of its model."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai import OpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

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
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
model = OpenAI(
    model="gpt-4o",
    api_base=f"{MODEL_URL}/v1",
    api_key=MODEL_KEY,
    max_retries=0,
    # OpenAI sends the usage of a stream only on request.
    additional_kwargs={"stream_options": {"include_usage": True}},
)
agent = FunctionAgent(
    name=AGENT,
    llm=model,
    system_prompt=INSTRUCTIONS,
    tools=[FunctionTool.from_defaults(get_weather)],
)


async def answer(question):
    return str(await agent.run(user_msg=question))


def ask(question):
    with using_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return asyncio.run(answer(question))


turns(ask)
provider.shutdown()
