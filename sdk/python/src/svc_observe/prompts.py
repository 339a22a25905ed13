"""Managed prompts, cached for a minute, and for longer while the server is unavailable."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Union
from urllib.parse import quote

from .backoff import backoff
from .errors import PromptError
from .settings import Settings
from .transport import Ok, Refused, Transport, Unavailable

Content = Union[str, list[dict[str, Any]]]

# The maximum delay until a moved label takes effect.
FRESH = 60.0
# The time between attempts while the server is unavailable.
FAILED = 5.0
MAX_CACHED = 1000
# The program waits for prompts, so the timeout is shorter than that of background requests.
MAX_TIMEOUT = 3.0
ATTEMPTS = 3

_PLACEHOLDER = re.compile(r"\{\{\s*([^\s{}]+)\s*\}\}")


@dataclass(frozen=True)
class Prompt:
    name: str
    #: The version number; 0 for a fallback.
    version: int
    #: The text, or the messages of a chat.
    content: Content
    config: dict[str, Any] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    #: Assigns a call to this version's metrics, if the prompt is passed to `record_call`.
    content_hash: str = ""

    @property
    def prompt_type(self) -> str:
        return "text" if isinstance(self.content, str) else "chat"

    def compile(self, variables: Mapping[str, Any] | None = None, **more: Any) -> Any:
        """Returns the content with variables replaced. Variables without a value stay unchanged."""
        values = {**(variables or {}), **more}

        def fill(match: re.Match[str]) -> str:
            name = match.group(1)
            return _as_text(values[name]) if name in values else match.group(0)

        return _map_texts(self.content, lambda text: _PLACEHOLDER.sub(fill, text))

    def missing_variables(
        self, variables: Mapping[str, Any] | None = None, **more: Any
    ) -> list[str]:
        """Returns the variables of the content without a value."""
        values = {**(variables or {}), **more}
        found: dict[str, None] = {}

        def note(text: str) -> str:
            found.update((name, None) for name in _PLACEHOLDER.findall(text))
            return text

        _map_texts(self.content, note)
        return [name for name in found if name not in values]


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _map_texts(content: Content, change: Callable[[str], str]) -> Any:
    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, list):
            return [walk(item) for item in value]
        if isinstance(value, dict):
            return {key: walk(inner) for key, inner in value.items()}
        return value

    if isinstance(content, str):
        return change(content)
    return [{**message, "content": walk(message.get("content"))} for message in content]


@dataclass
class _Cached:
    prompt: Prompt | None
    error: PromptError | None
    fresh_until: float


class PromptStore:
    def __init__(self, transport: Transport | None, settings: Settings) -> None:
        self._transport = transport
        self._settings = settings
        self._cached: dict[str, _Cached] = {}
        self.reset_locks()

    def reset_locks(self) -> None:
        self._lock = threading.Lock()
        self._fetching: dict[str, threading.Lock] = {}

    def get(
        self,
        name: str,
        *,
        label: str | None = None,
        version: int | None = None,
        fallback: Content | None = None,
    ) -> Prompt:
        key = json.dumps([name, version if version is not None else label])
        cached = self._fresh(key)
        if cached is None:
            # Concurrent calls for the same prompt share one request.
            with self._lock:
                fetching = self._fetching.setdefault(key, threading.Lock())
            with fetching:
                cached = self._fresh(key) or self._refresh(key, name, label, version)
        if cached.prompt:
            return cached.prompt
        if fallback is not None:
            return Prompt(name, 0, fallback)
        raise cached.error or PromptError(f'the prompt "{name}" could not be fetched')

    def _fresh(self, key: str) -> _Cached | None:
        with self._lock:
            cached = self._cached.get(key)
        return cached if cached and time.monotonic() < cached.fresh_until else None

    def _refresh(self, key: str, name: str, label: str | None, version: int | None) -> _Cached:
        with self._lock:
            known = self._cached.get(key)
        try:
            cached = _Cached(self._fetch(name, label, version), None, time.monotonic() + FRESH)
        except PromptError as error:
            # The cached prompt is used if the server is unavailable, but not if it was deleted.
            prompt = known.prompt if known and error.status is None else None
            wait = 0.0 if error.status == 404 else FAILED
            cached = _Cached(prompt, error, time.monotonic() + wait)
        with self._lock:
            self._cached.pop(key, None)
            if len(self._cached) >= MAX_CACHED:
                oldest = next(iter(self._cached))
                del self._cached[oldest]
                self._fetching.pop(oldest, None)
            self._cached[key] = cached
        return cached

    def _fetch(self, name: str, label: str | None, version: int | None) -> Prompt:
        which = (
            f" version {version}" if version is not None else f' label "{label}"' if label else ""
        )
        described = f'the prompt "{name}"{which} could not be fetched'
        if not self._transport:
            raise PromptError(f"{described}: {self._settings.problem or 'observation is disabled'}")
        search = ""
        if version is not None:
            search = f"?version={quote(str(version), safe='')}"
        elif label is not None:
            search = f"?label={quote(label, safe='')}"
        path = f"/api/v1/observe/prompts/{quote(name, safe='')}/{search}"
        timeout = min(self._settings.timeout, MAX_TIMEOUT)
        attempt = 1
        while True:
            result = self._transport.send("GET", path, None, timeout)
            if isinstance(result, Ok):
                return _prompt_of(result.body)
            message = f"{described}: {result.message}"
            if isinstance(result, Refused):
                raise PromptError(message, result.status, result.reason)
            # After a timeout of seconds, a retry would only make the program wait longer.
            if isinstance(result, Unavailable) or attempt == ATTEMPTS:
                raise PromptError(message, None, result.reason)
            time.sleep(backoff(attempt, self._settings.retry_delay))
            attempt += 1


def _prompt_of(body: Any) -> Prompt:
    content = body.get("content") if isinstance(body, dict) else None
    if not isinstance(content, (str, list)):
        raise PromptError("the server's response is not a prompt")
    return Prompt(
        name=str(body.get("name")),
        version=int(body.get("version") or 0),
        content=content,
        config=body.get("config") or {},
        labels=body.get("labels") or [],
        content_hash=body.get("content_hash") or "",
    )
