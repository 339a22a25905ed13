"""The official instrumentation of Google's GenAI client, with messages on the spans."""

from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor

from scenario import logging_events, own_span, tracing, turns
from vertex_agent import gemini_agent, vertex_client

provider = tracing()
logs = logging_events()
GoogleGenAiSdkInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
client = vertex_client()
start = own_span()


def ask(question):
    with start():
        return gemini_agent(client, question)


turns(ask)
provider.shutdown()
logs.shutdown()
