"""Shared by the scripts of all clients: the scenario, and a tracer that exports over OTLP."""

import json
import os
import sys

SCENARIO = json.loads(os.environ["SCENARIO"])
AGENT = SCENARIO["agent"]
INSTRUCTIONS = SCENARIO["instructions"]
QUESTIONS = [SCENARIO["question"], SCENARIO["refusedQuestion"]]
SESSION = SCENARIO["session"]
USER = SCENARIO["user"]
TAG = SCENARIO["tag"]
MODEL_URL = os.environ["MODEL_URL"]
MODEL_KEY = os.environ["MODEL_KEY"]


def get_weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: The name of the city.
    """
    assert city == SCENARIO["toolArguments"]["city"], city
    return SCENARIO["toolResult"]


TOOL_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def tracing(**resource):
    """Returns a tracer provider like that of an application; the environment names its target."""
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    provider = TracerProvider(resource=Resource.create(resource))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider


def logging_events():
    """Returns a logger provider for instrumentations that send messages as log records."""
    from opentelemetry._logs import set_logger_provider
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

    provider = LoggerProvider()
    provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
    set_logger_provider(provider)
    return provider


def turns(ask, expect_answer=True):
    """Sends both questions; the second one must fail, or its answer must contain the failure."""
    answer = ask(QUESTIONS[0])
    if expect_answer and SCENARIO["answer"] not in str(answer):
        print(f"unexpected answer: {answer!r}", file=sys.stderr)
        sys.exit(1)
    try:
        ask(QUESTIONS[1])
    except Exception as error:  # The exceptions of the clients have no common class.
        if SCENARIO["refusal"] not in str(error):
            print(f"another failure: {error!r}", file=sys.stderr)


def own_span(tracer_name="app"):
    """Returns a function that starts a manual agent span around the calls of a plain library."""
    from opentelemetry import trace

    tracer = trace.get_tracer(tracer_name)

    def start():
        return tracer.start_as_current_span(
            "answer",
            attributes={
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": AGENT,
                "session.id": SESSION,
                "user.id": USER,
                "tag.tags": [TAG],
            },
        )

    return start


def chat_agent(client, question, model="gpt-4o"):
    """An agent of two calls with the OpenAI client's chat completions."""

    def complete(**request):
        return client.chat.completions.create(model=model, **request)

    return chat_loop(complete, question)


def chat_loop(complete, question):
    """An agent of two calls, made by a function with the interface of OpenAI's chat completions."""
    messages = [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": question},
    ]
    tools = [
        {
            "type": "function",
            "function": {
                "name": "get_weather",
                "description": "The weather of a city",
                "parameters": TOOL_SCHEMA,
            },
        }
    ]
    while True:
        message = complete(messages=messages, tools=tools).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = get_weather(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
