"""An agent's memory. Unlike recording, this waits for the server and raises MemoryStoreError."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from .errors import MemoryStoreError
from .limits import to_json
from .run import Run, current_run
from .storable import storable
from .transport import Ok, Refused, Transport
from .wire import omit_none

_RUNS = "/api/v1/observability/runs"
_MEMORY = "/api/v1/observe/memory/"


class Memory:
    """The slots of one scope, such as an agent with a user: `support:u-17`."""

    def __init__(self, transport: Transport | None, scope_key: str) -> None:
        self._transport = transport
        self.scope_key = scope_key

    def write(
        self,
        slot_name: str,
        data: Any,
        *,
        memory_type: str = "dict",
        ttl_seconds: int | None = None,
        max_items: int | None = None,
        run: Run | None = None,
    ) -> dict[str, Any]:
        """Replaces a `dict` or `value` slot, or appends to a `list` slot."""
        body = {
            "slot_name": slot_name,
            "scope_key": self.scope_key,
            "memory_type": memory_type,
            "ttl_seconds": ttl_seconds,
            "max_items": max_items,
        }
        path = f"{_RUNS}/{self._run_id(run)}/memory/episodic/"
        return self._send("POST", path, {**omit_none(body), "data": storable(data)})

    def write_fact(
        self,
        slot_name: str,
        content: str,
        embedding: Sequence[float],
        *,
        importance: float | None = None,
        tags: Sequence[str] | None = None,
        fact_key: str | None = None,
        source_tool: str | None = None,
        metadata: dict[str, Any] | None = None,
        run: Run | None = None,
    ) -> dict[str, Any]:
        """Writes a fact, or updates the one with this key. The embedding has 1,536 numbers."""
        body = {
            "slot_name": slot_name,
            "scope_key": self.scope_key,
            "content": content,
            "content_embedding": [float(number) for number in embedding],
            "importance": importance,
            "tags": None if tags is None else list(tags),
            "fact_key": fact_key,
            "source_tool": source_tool,
            "metadata": storable(metadata),
        }
        path = f"{_RUNS}/{self._run_id(run)}/memory/semantic/"
        return self._send("POST", path, omit_none(body))

    def read(
        self, slot_name: str | None = None, *, limit: int = 50, offset: int = 0
    ) -> list[dict[str, Any]]:
        """Returns the slots of the scope with their contents, newest first."""
        query = {"scope_key": self.scope_key, "slot_name": slot_name, "limit": limit}
        result = self._send("GET", f"{_MEMORY}?{urlencode(omit_none({**query, 'offset': offset}))}")
        return list(result.get("results", []))

    def search(
        self,
        embedding: Sequence[float],
        *,
        slot_name: str | None = None,
        tags: Sequence[str] | None = None,
        limit: int = 10,
    ) -> list[dict[str, Any]]:
        """Returns the facts nearest to an embedding, nearest first."""
        body = {
            "scope_key": self.scope_key,
            "slot_name": slot_name,
            "embedding": [float(number) for number in embedding],
            "tags": None if tags is None else list(tags),
            "limit": limit,
        }
        return list(self._send("POST", f"{_MEMORY}search/", omit_none(body)).get("results", []))

    def _run_id(self, run: Run | None) -> str:
        run = run or current_run.get()
        if run is None:
            raise MemoryStoreError("memory is written within a run: start one, or pass run=")
        run_id = run.ready()
        if not run_id:
            raise MemoryStoreError("the run has not started on the server")
        return run_id

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        if self._transport is None:
            raise MemoryStoreError("observation is disabled")
        result = self._transport.send(method, path, None if body is None else to_json(body))
        if isinstance(result, Ok) and isinstance(result.body, dict):
            return result.body
        status = result.status if isinstance(result, Refused) else None
        message = getattr(result, "message", "the response is not an object")
        raise MemoryStoreError(message, status, getattr(result, "reason", None))
