"""Real client libraries of providers, wrapped; each call within a run named after it."""

import asyncio
import json
import os
from contextlib import contextmanager

import anthropic
import httpx2
import openai
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

import svc_observe
from svc_observe.langchain import ObserveHandler

PROVIDER = os.environ["MODEL_URL"]
KEY = os.environ["MODEL_KEY"]
MESSAGES = [{"role": "user", "content": "one two three"}]
MESSAGE = {"model": "claude-sonnet-4-6", "max_tokens": 10, "messages": MESSAGES}
CHAT = {"model": "gpt-4o", "messages": MESSAGES}

problems = []
observer = svc_observe.init(capture_content=True, on_error=lambda e: problems.append(str(e)))
heard = {}


def run(name):
    return svc_observe.start_run(name, parent=None)


@contextmanager
def failure(name):
    try:
        yield
        heard[name] = "no error"
    except (openai.APIError, anthropic.APIError, httpx2.ReadTimeout) as error:
        heard[name] = type(error).__name__


class Stalled(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that ends with a timeout."""

    def __iter__(self):
        yield b"{"
        raise httpx2.ReadTimeout("stalled")

    async def __aiter__(self):
        yield b"{"
        raise httpx2.ReadTimeout("stalled")


stalled = httpx2.MockTransport(lambda request: httpx2.Response(200, stream=Stalled()))


def open_ai(kind=openai.OpenAI, http_client=None, **options):
    client = kind(
        api_key=KEY, base_url=f"{PROVIDER}/v1", max_retries=0, http_client=http_client
    )
    return svc_observe.wrap_openai(client, provider="mine", task="sort", **options)


def text_of(stream):
    """The text of a streamed chat completion, without the chunk that only has its usage."""
    chunks = list(stream)
    assert all(len(chunk.choices) == 1 for chunk in chunks)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def text_of_message(events):
    return "".join(getattr(getattr(event, "delta", None), "text", "") for event in events)


def claude(kind=anthropic.Anthropic):
    return svc_observe.wrap_anthropic(kind(api_key=KEY, base_url=PROVIDER, max_retries=0))


with run("openai"):
    heard["openai"] = open_ai().chat.completions.create(**CHAT).choices[0].message.content
with run("openai-options"):
    patient = open_ai().with_options(timeout=60).copy(max_retries=1)
    heard["openai-options"] = patient.chat.completions.create(**CHAT).choices[0].message.content
with run("openai-raw"):
    raw = open_ai().chat.completions.with_raw_response.create(**CHAT)
    heard["openai-raw"] = raw.parse().choices[0].message.content
with run("openai-stream"):
    stream = open_ai(stream_usage=True).chat.completions.create(**CHAT, stream=True)
    heard["openai-stream"] = text_of(stream)
with run("openai-raw-stream"):
    raw = open_ai(stream_usage=True).chat.completions.with_raw_response.create(**CHAT, stream=True)
    assert raw.headers["content-type"] == "text/event-stream"
    assert raw.parse() is raw.parse()
    heard["openai-raw-stream"] = text_of(raw.parse())
with run("openai-streaming-response"):
    with open_ai(
        stream_usage=True
    ).chat.completions.with_streaming_response.create(**CHAT, stream=True) as raw:
        heard["openai-streaming-response"] = text_of(raw.parse())
with run("openai-unread-body"):
    with open_ai().chat.completions.with_streaming_response.create(**CHAT) as raw:
        assert not raw.is_closed
        assert raw.json() == json.loads(raw.read())
        heard["openai-unread-body"] = raw.parse().choices[0].message.content
with run("openai-body-pieces"):
    with open_ai().chat.completions.with_streaming_response.create(**CHAT) as raw:
        heard["openai-body-pieces"] = json.loads(b"".join(raw.iter_bytes()))["model"]
with run("openai-stalled"), failure("openai-stalled"):
    client = open_ai(http_client=httpx2.Client(transport=stalled))
    with client.chat.completions.with_streaming_response.create(**CHAT) as raw:
        raw.parse()
with run("openai-raw-lines"):
    with open_ai().chat.completions.with_streaming_response.create(**CHAT, stream=True) as raw:
        heard["openai-raw-lines"] = f"{len(list(raw.iter_lines()))} lines"
with run("openai-raw-closed"):
    raw = open_ai().chat.completions.with_raw_response.create(**CHAT, stream=True)
    raw.http_response.close()
with run("openai-closed"):
    unread = open_ai().chat.completions.create(**CHAT, stream=True)
    unread.close()
with run("openai-raw-dropped"):
    open_ai().chat.completions.with_raw_response.create(**CHAT, stream=True)
with run("openai-helper"):
    with open_ai(stream_usage=True).chat.completions.stream(**CHAT) as events:
        heard["openai-helper"] = events.get_final_completion().choices[0].message.content
with run("openai-left"):
    for _ in open_ai().chat.completions.create(**CHAT, stream=True):
        break
with run("openai-error"), failure("openai-error"):
    open_ai().chat.completions.create(model="limited", messages=MESSAGES)
with run("openai-stream-error"), failure("openai-stream-error"):
    open_ai().chat.completions.create(model="limited", messages=MESSAGES, stream=True)
with run("openai-breaks"), failure("openai-breaks"):
    list(open_ai().chat.completions.create(model="breaks", messages=MESSAGES, stream=True))
with run("anthropic"):
    heard["anthropic"] = claude().messages.create(**MESSAGE).content[0].text
with run("anthropic-options"):
    answer = claude().with_options(timeout=60).messages.create(**MESSAGE)
    heard["anthropic-options"] = answer.content[0].text
with run("anthropic-stream"):
    with claude().messages.stream(**MESSAGE) as events:
        heard["anthropic-stream"] = events.get_final_text()
with run("anthropic-raw"):
    raw = claude().messages.with_raw_response.create(**MESSAGE)
    heard["anthropic-raw"] = raw.parse().content[0].text
with run("anthropic-raw-stream"):
    raw = claude().messages.with_raw_response.create(**MESSAGE, stream=True)
    heard["anthropic-raw-stream"] = text_of_message(raw.parse())
with run("anthropic-raw-error"), failure("anthropic-raw-error"):
    claude().messages.with_raw_response.create(**{**MESSAGE, "model": "limited"}, stream=True)
with run("anthropic-raw-breaks"), failure("anthropic-raw-breaks"):
    body = {**MESSAGE, "model": "breaks", "stream": True}
    list(claude().messages.with_raw_response.create(**body).parse())
with run("anthropic-error"), failure("anthropic-error"):
    claude().messages.create(**{**MESSAGE, "model": "limited"})


async def asynchronous():
    with run("openai-async"):
        answer = await open_ai(openai.AsyncOpenAI).chat.completions.create(**CHAT)
        heard["openai-async"] = answer.choices[0].message.content
    with run("openai-async-stream"):
        client = open_ai(openai.AsyncOpenAI, stream_usage=True)
        text = ""
        async for chunk in await client.chat.completions.create(**CHAT, stream=True):
            text += chunk.choices[0].delta.content or ""
        heard["openai-async-stream"] = text
    with run("openai-async-raw-stream"):
        client = open_ai(openai.AsyncOpenAI, stream_usage=True)
        raw = await client.chat.completions.with_raw_response.create(**CHAT, stream=True)
        heard["openai-async-raw-stream"] = text_of([chunk async for chunk in raw.parse()])
    with run("openai-async-unread-body"):
        client = open_ai(openai.AsyncOpenAI)
        async with client.chat.completions.with_streaming_response.create(**CHAT) as raw:
            answer = await raw.parse()
        heard["openai-async-unread-body"] = answer.choices[0].message.content
    with run("openai-async-stalled"), failure("openai-async-stalled"):
        client = open_ai(openai.AsyncOpenAI, httpx2.AsyncClient(transport=stalled))
        async with client.chat.completions.with_streaming_response.create(**CHAT) as raw:
            await raw.parse()
    with run("openai-async-error"), failure("openai-async-error"):
        client = open_ai(openai.AsyncOpenAI)
        await client.chat.completions.create(model="limited", messages=MESSAGES)
    with run("anthropic-async"):
        answer = await claude(anthropic.AsyncAnthropic).messages.create(**MESSAGE)
        heard["anthropic-async"] = answer.content[0].text
    with run("anthropic-async-raw"):
        raw = await claude(anthropic.AsyncAnthropic).messages.with_raw_response.create(**MESSAGE)
        heard["anthropic-async-raw"] = (await raw.parse()).content[0].text
    with run("anthropic-async-raw-stream"):
        messages = claude(anthropic.AsyncAnthropic).messages
        async with messages.with_streaming_response.create(**MESSAGE, stream=True) as raw:
            events = [event async for event in await raw.parse()]
        heard["anthropic-async-raw-stream"] = text_of_message(events)
    with run("anthropic-async-closed"):
        unread = await claude(anthropic.AsyncAnthropic).messages.create(**MESSAGE, stream=True)
        await unread.close()


asyncio.run(asynchronous())


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"rain in {city}"


def chat_model(name):
    return ChatOpenAI(model=name, api_key=KEY, base_url=f"{PROVIDER}/v1", max_retries=0)


chain = chat_model("gpt-4o") | (lambda message: weather.invoke({"city": message.content}))
handler = ObserveHandler(agent_name="langchain", tags=["lc"])
heard["langchain"] = chain.invoke("one two three", config={"callbacks": [handler]})
with failure("langchain-error"):
    handler = ObserveHandler(agent_name="langchain-error")
    chat_model("limited").invoke("one two three", config={"callbacks": [handler]})

svc_observe.shutdown()
print(json.dumps({"heard": heard, "problems": problems, "dropped": observer.stats().dropped}))
