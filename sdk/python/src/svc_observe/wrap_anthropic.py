"""Records the calls of an Anthropic client."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from .call_readers import Message, field
from .watch_client import Watcher, watch_copies, watch_resource

if TYPE_CHECKING:
    from .observer import Observer

Client = TypeVar("Client")


def wrap_anthropic(
    client: Client,
    *,
    observer: Observer | None = None,
    task: str | None = None,
    provider: str = "anthropic",
) -> Client:
    """Records messages as LLM calls, with or without streaming, sync or async.

    Modifies the client in place and returns it.
    """
    watcher = Watcher(observer, task, provider)
    for resource in (field(client, "messages"), field(client, "beta", "messages")):
        if resource is not None:
            watch_resource(resource, "/v1/messages", Message, watcher)
    options = {"observer": observer, "task": task, "provider": provider}
    watch_copies(client, lambda copy: wrap_anthropic(copy, **options))
    return client
