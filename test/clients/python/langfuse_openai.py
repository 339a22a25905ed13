"""Langfuse's wrapper of the OpenAI client, whose spans also go to an OTLP exporter."""

from langfuse import Langfuse, observe, propagate_attributes
from langfuse.openai import OpenAI

from scenario import AGENT, SESSION, TAG, USER, chat_agent, get_weather, tracing, turns
import scenario

provider = tracing()
Langfuse(
    public_key="pk-lf-none",
    secret_key="sk-lf-none",
    base_url="http://127.0.0.1:9",
    tracer_provider=provider,
)
client = OpenAI(max_retries=0)
scenario.get_weather = observe(as_type="tool")(get_weather)


@observe(name=AGENT, as_type="agent")
def ask(question):
    with propagate_attributes(session_id=SESSION, user_id=USER, tags=[TAG]):
        return chat_agent(client, question)


turns(ask)
provider.force_flush()
import os

os._exit(0)
