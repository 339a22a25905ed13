"""The official instrumentation of botocore, with messages as log records."""

from opentelemetry.instrumentation.botocore import BotocoreInstrumentor

from bedrock_agent import bedrock_client, converse_agent
from scenario import logging_events, own_span, tracing, turns

provider = tracing()
logs = logging_events()
BotocoreInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
client = bedrock_client()
start = own_span()


def ask(question):
    with start():
        return converse_agent(client, question)


turns(ask)
provider.shutdown()
logs.shutdown()
