"""HTTP requests to the control plane, over persistent connections of the standard library."""

from __future__ import annotations

import email.utils

# The first connection would import it in a thread. A process that is forked meanwhile could
# never look up a host: "unknown encoding: idna".
import encodings.idna  # noqa: F401
import http.client
import json
import ssl
import threading
import time
import weakref
from dataclasses import dataclass
from typing import Any, Union
from urllib.parse import urlsplit

from .settings import Settings
from .version import VERSION


@dataclass(frozen=True)
class Ok:
    body: Any


@dataclass(frozen=True)
class Refused:
    """A permanent error: the request must not be retried."""

    status: int
    message: str
    #: The control plane's reason, or None if another server responded.
    reason: str | None = None


@dataclass(frozen=True)
class Retry:
    """A transient error of the server. `retry_after` is in seconds."""

    status: int
    message: str
    retry_after: float
    reason: str | None = None


@dataclass(frozen=True)
class Unavailable:
    """The server is unavailable. `retry_after` is in seconds."""

    message: str
    retry_after: float
    reason: str | None = None


Result = Union[Ok, Refused, Retry, Unavailable]

# These are sent by a proxy without a backend, and by a server without its database.
_UNAVAILABLE = (502, 503, 504)
_MAX_RETRY_AFTER = 300.0
_MAX_RESPONSE_BYTES = 50_000_000


class Transport:
    """Sends requests over one persistent connection per thread. `send` never raises, and returns
    within the timeout.
    """

    def __init__(self, settings: Settings) -> None:
        parts = urlsplit(settings.base_url)
        self._host = parts.hostname or ""
        self._port = parts.port
        self._prefix = parts.path
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._key = settings.api_key
        self._timeout = settings.timeout
        self._local = threading.local()
        self._open: weakref.WeakSet[http.client.HTTPConnection] = weakref.WeakSet()

    def send(
        self,
        method: str,
        path: str,
        body: str | None = None,
        timeout: float | None = None,
    ) -> Result:
        limit = timeout or self._timeout
        payload = None if body is None else body.encode("utf-8")
        for attempt in (1, 2):
            connection, is_fresh = self._connection(limit)
            try:
                return self._exchange(connection, method, path, payload, limit)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as error:
                self.close()
                # The server may have closed an idle connection. A new connection shows whether it
                # is available.
                if is_fresh or attempt == 2:
                    return Unavailable(_reason_of(error), 0)
            except TimeoutError:
                self.close()
                return Unavailable(f"no response within {limit:g} s", 0)
            except Exception as error:
                self.close()
                return Unavailable(_reason_of(error), 0)
        raise AssertionError("unreachable")

    def close(self) -> None:
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            connection.close()

    def close_all(self) -> None:
        for connection in list(self._open):
            connection.close()

    def _connection(self, timeout: float) -> tuple[http.client.HTTPConnection, bool]:
        known = getattr(self._local, "connection", None)
        if known is not None and known.sock is not None:
            known.sock.settimeout(timeout)
            return known, False
        if self._tls:
            fresh: http.client.HTTPConnection = http.client.HTTPSConnection(
                self._host, self._port, timeout=timeout, context=self._tls
            )
        else:
            fresh = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        self._local.connection = fresh
        self._open.add(fresh)
        return fresh, True

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        payload: bytes | None,
        limit: float,
    ) -> Result:
        deadline = time.monotonic() + limit
        headers: dict[str, str] = {
            "X-Svc-Key": self._key,
            "User-Agent": f"svc-observe-python/{VERSION}",
            "Accept": "application/json",
        }
        if payload is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, self._prefix + path, body=payload, headers=headers)
        response = connection.getresponse()
        text = _read(response, connection, deadline)
        if response.will_close:
            self.close()
        return _result_of(response, text)


def _read(
    response: http.client.HTTPResponse, connection: http.client.HTTPConnection, deadline: float
) -> str:
    """Reads a response within a deadline, because the timeout of a socket applies to each read."""
    parts: list[bytes] = []
    size = 0
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or size > _MAX_RESPONSE_BYTES:
            raise TimeoutError
        if connection.sock is not None:
            connection.sock.settimeout(left)
        part = response.read1(65536)
        if not part:
            # Without this, the connection cannot be reused.
            response.close()
            return b"".join(parts).decode("utf-8", "replace")
        parts.append(part)
        size += len(part)


def _result_of(response: http.client.HTTPResponse, text: str) -> Result:
    status = response.status
    if 200 <= status < 300:
        body = _parse(text)
        return Retry(status, "the response is not JSON", 0) if body is None else Ok(body)
    message = _message_of(status, response.getheader("location"), text)
    reason = response.getheader("x-error-reason")
    retry_after = _retry_after(response.getheader("retry-after"))
    if status in _UNAVAILABLE:
        return Unavailable(message, retry_after, reason)
    if status >= 500 or status in (408, 429):
        return Retry(status, message, retry_after, reason)
    return Refused(status, message, reason)


def _message_of(status: int, location: str | None, text: str) -> str:
    if location:
        return f"HTTP {status}: redirected to {location}; configure that URL instead"
    body = _parse(text)
    error = body.get("error") if isinstance(body, dict) else None
    line = error.get("message") if isinstance(error, dict) else error
    return line[:500] if isinstance(line, str) and line else f"HTTP {status}"


def _parse(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, (dict, list)) else None


def _retry_after(header: str | None) -> float:
    """Parses `Retry-After`, in seconds or as a date, to seconds. Returns 0 if it is invalid."""
    if not header:
        return 0
    if header.isdigit():
        return min(float(header), _MAX_RETRY_AFTER)
    try:
        wait = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
    except (TypeError, ValueError):
        return 0
    return min(max(wait, 0.0), _MAX_RETRY_AFTER)


def _reason_of(error: Exception) -> str:
    return str(error) or type(error).__name__
