"""Records the stream of a call as the program reads it.

The call is recorded once: when the stream ends or breaks off, when the program closes it, or when
the program drops it.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from .watch_client import Watch

#: Selects the events to hide from the program.
Hides = Callable[[Any], bool]


def watch_stream(watch: Watch, stream: Any, hides: Hides | None) -> bool:
    """Replaces the iterator of a client's stream. Returns False if this is not a stream."""
    iterator = getattr(stream, "_iterator", None)
    if inspect.isasyncgen(iterator):
        stream._iterator = _async_events(watch, iterator, hides)
    elif inspect.isgenerator(iterator):
        stream._iterator = _events(watch, iterator, hides)
    else:
        return False
    watch_close(watch, getattr(stream, "response", None))
    watch_drop(watch, stream)
    return True


def watch_raw_stream(watch: Watch, raw: Any, hides: Hides | None) -> None:
    """Watches the stream that the program parses from an HTTP response.

    Without `parse`, the program reads the bytes itself, so the tokens of the call are unknown.
    """
    watch_close(watch, raw.http_response)
    dropped = watch_drop(watch, raw)
    original = getattr(type(raw), "_parse", None)
    if not callable(original) or dropped is None:
        return
    # `parse` calls `_parse` once and caches the stream. The response must not refer to itself:
    # otherwise the garbage collector would decide when the stream of a dropped response ends.
    reference = weakref.ref(raw)

    def parse(*args: Any, **options: Any) -> Any:
        stream = original(reference(), *args, **options)
        if watch_stream(watch, stream, hides):
            dropped.detach()
        return stream

    raw._parse = parse


def watch_drop(watch: Watch, value: Any) -> weakref.finalize[Any, Any] | None:
    """Watches whether a program drops a response that it never reads. A generator that was never
    started does not notice that.
    """
    try:
        return weakref.finalize(value, watch.drop)
    except TypeError:  # This class has no weak references.
        return None


def watch_close(watch: Watch, response: Any) -> None:
    """Watches how a program closes the HTTP response: itself, or with its stream."""
    for name in ("close", "aclose"):
        close = getattr(response, name, None)
        if callable(close):
            setattr(response, name, _closing(watch, close))


def _closing(watch: Watch, close: Callable[[], Any]) -> Callable[[], Any]:
    def closing() -> Any:
        watch.close()
        return close()

    return closing


def _events(watch: Watch, events: Iterator[Any], hides: Hides | None) -> Iterator[Any]:
    """Passes the events on. A stream that fails before its first event is a failed call."""
    watch.wait(True)
    try:
        for event in events:
            watch.read(event, True)
            if not (hides and hides(event)):
                watch.wait(False)
                yield event
                watch.wait(True)
    except GeneratorExit:  # By the program, or by the garbage collector.
        watch.finish_later()
        raise
    except BaseException as error:
        watch.fail(error)
        raise
    finally:
        watch.finish()


async def _async_events(
    watch: Watch, events: AsyncIterator[Any], hides: Hides | None
) -> AsyncIterator[Any]:
    watch.wait(True)
    try:
        async for event in events:
            watch.read(event, True)
            if not (hides and hides(event)):
                watch.wait(False)
                yield event
                watch.wait(True)
    except GeneratorExit:  # By the program, or by the garbage collector.
        watch.finish_later()
        raise
    except BaseException as error:
        watch.fail(error)
        raise
    finally:
        watch.finish()
