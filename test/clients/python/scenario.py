"""What the scripts of all clients share: the scenario, and a tracer that exports by OTLP."""

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
    """A tracer provider as an application sets one up; the environment names the exporter's target."""
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
    """A logger provider for instrumentations that send messages as log records."""
    from opentelemetry._logs import set_logger_provider
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

    provider = LoggerProvider()
    provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
    set_logger_provider(provider)
    return provider


def turns(ask, expect_answer=True):
    """Asks both questions; the second one must fail, or be answered with the failure."""
    answer = ask(QUESTIONS[0])
    if expect_answer and SCENARIO["answer"] not in str(answer):
        print(f"unexpected answer: {answer!r}", file=sys.stderr)
        sys.exit(1)
    try:
        ask(QUESTIONS[1])
    except Exception as error:  # What the clients raise has no class in common.
        if SCENARIO["refusal"] not in str(error):
            print(f"another failure: {error!r}", file=sys.stderr)


def own_span(tracer_name="app"):
    """The span of an agent that is written by hand, around the calls of a plain library."""
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
    """An agent of two calls by a function that has the form of OpenAI's chat completions."""
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
