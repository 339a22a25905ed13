"""Records the HTTP responses that are not streams, of `with_raw_response` and
`with_streaming_response`.

A body that the client has read is parsed at once. Otherwise the program reads it, or does not, and
gets the same exceptions as without this package.
"""

from __future__ import annotations

import inspect
import weakref
from typing import TYPE_CHECKING, Any, Callable

from .watch_stream import watch_close, watch_drop

if TYPE_CHECKING:
    from .watch_client import Watch


def is_raw(result: Any) -> bool:
    """Whether this is an HTTP response instead of what `parse` reads from it."""
    return hasattr(result, "http_response") and callable(getattr(result, "parse", None))


def is_unread(raw: Any) -> bool:
    return getattr(raw.http_response, "is_closed", True) is False


def read_response(watch: Watch, result: Any) -> None:
    """Reads a response that is complete. The client caches what `parse` returns."""
    try:
        response = result.parse() if is_raw(result) else result
    except Exception as error:  # Raised again when the program parses the response.
        return watch.fail(error)
    watch.read(response, False)
    watch.finish()


async def parse_later(watch: Watch, raw: Any) -> None:
    try:
        response = await raw.parse()
    except Exception as error:  # Raised again when the program parses the response.
        return watch.fail(error)
    except BaseException as error:  # The task was cancelled.
        watch.fail(error)
        raise
    watch.read(response, False)
    watch.finish()


def watch_body(watch: Watch, raw: Any) -> None:
    """Records the call when the program has read the whole body, with `parse` or as bytes, text or
    JSON. If it reads the body in pieces, closes the response or drops it, the tokens are unknown.
    """
    response = raw.http_response
    watch_close(watch, response)
    if watch_drop(watch, raw) is None:
        return
    # The response must not refer to itself, as in `watch_raw_stream`.
    reference = weakref.ref(raw)
    read, aread = getattr(response, "read", None), getattr(response, "aread", None)

    def reading() -> Any:
        content = _attempt(watch, read)
        response.read = read  # `parse` reads the content again.
        read_response(watch, reference())
        return content

    async def reading_later() -> Any:
        content = await _attempt_later(watch, aread)
        response.aread = aread
        if is_raw(parsed := reference()) and inspect.iscoroutinefunction(parsed.parse):
            await parse_later(watch, parsed)
        else:
            read_response(watch, parsed)
        return content

    response.read, response.aread = reading, reading_later


def _attempt(watch: Watch, read: Callable[[], Any]) -> Any:
    watch.wait(True)
    try:
        return read()
    except BaseException as error:
        watch.fail(error)
        raise


async def _attempt_later(watch: Watch, read: Callable[[], Any]) -> Any:
    watch.wait(True)
    try:
        return await read()
    except BaseException as error:
        watch.fail(error)
        raise
