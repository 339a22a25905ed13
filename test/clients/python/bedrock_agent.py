"""An agent of two calls with the Bedrock client's Converse."""

import boto3
from botocore.config import Config

from scenario import INSTRUCTIONS, MODEL_URL, TOOL_SCHEMA, get_weather

MODEL = "us.anthropic.claude-sonnet-4-6"


def bedrock_client():
    return boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=MODEL_URL,
        config=Config(retries={"total_max_attempts": 1}),
    )


def converse_agent(client, question):
    messages = [{"role": "user", "content": [{"text": question}]}]
    spec = {
        "name": "get_weather",
        "description": "The weather of a city",
        "inputSchema": {"json": TOOL_SCHEMA},
    }
    while True:
        response = client.converse(
            modelId=MODEL,
            system=[{"text": INSTRUCTIONS}],
            messages=messages,
            inferenceConfig={"maxTokens": 500},
            toolConfig={"tools": [{"toolSpec": spec}]},
        )
        message = response["output"]["message"]
        uses = [part["toolUse"] for part in message["content"] if "toolUse" in part]
        if not uses:
            return message["content"][0]["text"]
        messages.append(message)
        results = [
            {
                "toolResult": {
                    "toolUseId": use["toolUseId"],
                    "content": [{"text": get_weather(**use["input"])}],
                }
            }
            for use in uses
        ]
        messages.append({"role": "user", "content": results})
