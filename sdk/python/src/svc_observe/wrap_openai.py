"""Records the calls of an OpenAI client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, TypeVar
from urllib.parse import urlsplit

from .call_readers import ChatCompletion, Embedding, Response, field
from .watch_client import Body, Watcher, watch_copies, watch_resource

if TYPE_CHECKING:
    from .observer import Observer

Client = TypeVar("Client")


def wrap_openai(
    client: Client,
    *,
    observer: Observer | None = None,
    task: str | None = None,
    provider: str | None = None,
    stream_usage: bool | None = None,
) -> Client:
    """Records chat completions, responses and embeddings as LLM calls.

    Works with and without streaming, sync and async. Modifies the client in place and returns it.
    `stream_usage` requests the token counts of streamed chat completions, which otherwise have
    none. Default: true for api.openai.com; other endpoints may reject the option.
    """
    known = provider or _provider_at(getattr(client, "base_url", None))
    watcher = Watcher(observer, task, known)
    requests_usage = known == "openai" if stream_usage is None else stream_usage
    prepare = _request_usage if requests_usage else None
    completions = field(client, "chat", "completions")
    watch_resource(completions, "/chat/completions", ChatCompletion, watcher, prepare=prepare)
    watch_resource(field(client, "responses"), "/responses", Response, watcher)
    watch_resource(field(client, "embeddings"), "/embeddings", Embedding, watcher)
    options = {"task": task, "provider": provider, "stream_usage": stream_usage}
    watch_copies(client, lambda copy: wrap_openai(copy, observer=observer, **options))
    return client


def _request_usage(body: Body) -> Callable[[Any], bool] | None:
    if body.get("stream") is not True or body.get("stream_options"):
        return None
    body["stream_options"] = {"include_usage": True}
    # Usage is sent in a chunk without choices, which programs may not expect.
    return lambda event: not field(event, "choices") and field(event, "usage") is not None


def _provider_at(base_url: Any) -> str | None:
    host = urlsplit(str(base_url or "")).hostname or ""
    if host == "api.openai.com":
        return "openai"
    return "azure" if host.endswith(".openai.azure.com") else None
