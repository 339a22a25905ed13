"""An agent that calls LiteLLM's proxy, which exports spans and continues the agent's trace."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from openai import OpenAI
from opentelemetry.propagate import inject

from scenario import MODEL_KEY, MODEL_URL, SESSION, TAG, USER, chat_loop, own_span, tracing, turns

PROXY_KEY = "sk-weather-0123456789abcdefghij"
CONFIG = {
    "model_list": [
        {
            "model_name": "gpt-4o",
            "litellm_params": {
                "model": "openai/gpt-4o",
                "api_base": f"{MODEL_URL}/v1",
                "api_key": MODEL_KEY,
                "max_retries": 0,
            },
        }
    ],
    "litellm_settings": {"callbacks": ["otel"], "num_retries": 0},
    "general_settings": {"master_key": PROXY_KEY},
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started_proxy(folder, port):
    # JSON is YAML.
    config = Path(folder, "config.yaml")
    config.write_text(json.dumps(CONFIG))
    program = Path(sys.executable).parent / "litellm"
    process = subprocess.Popen(
        [program, "--config", config, "--host", "127.0.0.1", "--port", str(port)],
        cwd=folder,
        env={**os.environ, "OTEL_SERVICE_NAME": "litellm-proxy", "OTEL_BSP_SCHEDULE_DELAY": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Uvicorn running" in line:
            return process
    sys.exit("".join(lines))


provider = tracing()
start = own_span()
with tempfile.TemporaryDirectory() as folder:
    port = free_port()
    proxy = started_proxy(folder, port)
    client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key=PROXY_KEY, max_retries=0)

    def complete(**request):
        headers = {}
        inject(headers)
        return client.chat.completions.create(
            model="gpt-4o",
            user=USER,
            extra_headers=headers,
            extra_body={"metadata": {"session_id": SESSION, "tags": [TAG]}},
            **request,
        )

    def ask(question):
        with start():
            return chat_loop(complete, question)

    try:
        turns(ask)
    finally:
        # The proxy does not export its remaining spans when it ends.
        time.sleep(3)
        proxy.terminate()
        proxy.communicate()
provider.shutdown()
