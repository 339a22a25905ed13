"""MLflow's tracing of the OpenAI client, which exports over OTLP if the environment configures it.
"""

import os

# Sets the endpoint only for traces: with the one for all signals, mlflow-tracing fails to export
# metrics.
endpoint = os.environ.pop("OTEL_EXPORTER_OTLP_ENDPOINT")
os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = f"{endpoint}/v1/traces"

import mlflow
from mlflow.entities import SpanType
from openai import OpenAI

import scenario
from scenario import AGENT, SESSION, TAG, USER, chat_agent, get_weather, turns

mlflow.openai.autolog()
client = OpenAI(max_retries=0)
scenario.get_weather = mlflow.trace(span_type=SpanType.TOOL)(get_weather)


@mlflow.trace(name=AGENT, span_type=SpanType.AGENT)
def ask(question):
    mlflow.update_current_trace(session_id=SESSION, user=USER, tags={"tags": TAG})
    return chat_agent(client, question)


turns(ask)
