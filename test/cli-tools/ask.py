"""Sends a streaming request to a model with a client library: ask.py openai|anthropic PROMPT"""

import sys

_, library, prompt = sys.argv
messages = [{"role": "user", "content": prompt}]

if library == "openai":
    from openai import OpenAI

    stream = OpenAI().chat.completions.create(
        model="gpt-4o", messages=messages, stream=True, stream_options={"include_usage": True}
    )
    for chunk in stream:
        if chunk.choices:
            print(chunk.choices[0].delta.content or "", end="")
else:
    from anthropic import Anthropic

    with Anthropic().messages.stream(
        model="claude-sonnet-4-6", max_tokens=100, messages=messages
    ) as stream:
        for text in stream.text_stream:
            print(text, end="")
