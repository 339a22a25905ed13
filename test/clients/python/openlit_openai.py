"""OpenLIT, which instruments the OpenAI client."""

import os

import openlit
from openai import OpenAI

from scenario import chat_agent, own_span, tracing, turns

provider = tracing()
openlit.init(
    application_name=os.environ["OTEL_SERVICE_NAME"],
    disable_metrics=True,
)
client = OpenAI(max_retries=0)
start = own_span()


def ask(question):
    with start():
        return chat_agent(client, question)


turns(ask)
provider.shutdown()
