"""Records the requests of a provider's client, with or without streaming, sync or async.

All methods of a resource (`create`, `parse`, `stream`) call its `_post`, whose result is returned
unchanged. The iterator of a stream is replaced.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable

from .call_readers import CallReader, CallReaderFactory
from .run import current_run

if TYPE_CHECKING:
    from .observer import Observer

Body = dict[str, Any]


class Watcher:
    """Assigns the calls of a client to runs, with the fields that all of them share."""

    def __init__(
        self,
        observer: Observer | None,
        task: str | None,
        provider: str | None,
    ) -> None:
        self._observer = observer
        self._known = {
            name: value for name, value in (("task", task), ("provider", provider)) if value
        }

    def begin(self, reader: CallReader) -> Watch:
        # The observer is looked up on each call, because clients are often wrapped before `init`. A
        # call belongs to the run in which it is made, wherever its response is read.
        from . import default_observer

        run = current_run.get()
        known = {**self._known, "started_at": time.time()}
        if run is not None and run.current_span_id:
            known["parent_span_id"] = run.current_span_id
        return Watch(reader, run or self._observer or default_observer(), known)


class Watch:
    def __init__(self, reader: CallReader, recorder: Any, known: Mapping[str, Any]) -> None:
        self._reader = reader
        self._recorder = recorder
        self._known = known
        self._began = time.monotonic()
        self._first: float | None = None
        self._is_recorded = False

    def read(self, value: Any, is_event: bool) -> None:
        if is_event and self._first is None:
            self._first = time.monotonic()
        try:
            self._reader.read(value, is_event)
        except Exception:  # An unknown format: what was read so far is recorded.
            pass

    def finish(self) -> None:
        """Records the call with what has been read, unless it is recorded already."""
        if self._is_recorded:
            return
        self._is_recorded = True
        first = None if self._first is None else (self._first - self._began) * 1000
        self._recorder.record_call(**{**self._call(), "time_to_first_token_ms": first})

    def fail(self, error: BaseException) -> None:
        """Records a failed call, unless a stream has begun: the provider charges for its events.

        A coroutine or generator that the program closes early is not a failure.
        """
        if self._is_recorded or self._first is not None or isinstance(error, GeneratorExit):
            return
        self._is_recorded = True
        call = {name: value for name, value in self._call().items() if name in _OF_FAILED_CALLS}
        self._recorder.record_failed_call(error, **call)

    def _call(self) -> Body:
        duration = (time.monotonic() - self._began) * 1000
        return {**self._reader.call(duration), **self._known}


#: The arguments of `record_call` that are known without a response.
_OF_FAILED_CALLS = frozenset(
    "model provider task duration_ms parent_span_id started_at prompt_preview".split()
)


def watch_resource(
    resource: Any,
    endpoint: str,
    factory: CallReaderFactory,
    watcher: Watcher,
    *,
    prepare: Callable[[Body], Callable[[Any], bool] | None] | None = None,
) -> None:
    """Replaces the method `_post` of a resource, and watches the requests to this endpoint. Others,
    such as counting the tokens of a prompt, are not LLM calls.

    `prepare` may change the body of a request, and returns a function that selects the events to
    hide from the program.
    """
    post = getattr(resource, "_post", None)
    if not callable(post) or getattr(post, "_svc_observe", False):
        return

    def watched(path: str, **options: Any) -> Any:
        body = options.get("body")
        is_call = path.partition("?")[0] == endpoint
        if not is_call or not isinstance(body, dict):
            return post(path, **options)
        body = options["body"] = dict(body)
        hides = prepare(body) if prepare else None
        watch = watcher.begin(factory(body))
        try:
            result = post(path, **options)
        except BaseException as error:
            watch.fail(error)
            raise
        if inspect.isawaitable(result):
            return _later(watch, result, hides)
        return _observe(watch, result, hides)

    watched._svc_observe = True  # type: ignore[attr-defined]
    resource._post = watched


async def _later(watch: Watch, result: Any, hides: Callable[[Any], bool] | None) -> Any:
    try:
        response = await result
    except BaseException as error:
        watch.fail(error)
        raise
    return _observe(watch, response, hides)


def _observe(watch: Watch, result: Any, hides: Callable[[Any], bool] | None) -> Any:
    iterator = getattr(result, "_iterator", None)
    if inspect.isasyncgen(iterator):
        result._iterator = _async_events(watch, iterator, hides)
    elif inspect.isgenerator(iterator):
        result._iterator = _events(watch, iterator, hides)
    else:
        _read_response(watch, result)
    return result


def _read_response(watch: Watch, result: Any) -> None:
    try:
        response = _parsed(result)
    except Exception as error:  # Raised again when the program parses the response.
        return watch.fail(error)
    watch.read(response, False)
    watch.finish()


def _parsed(result: Any) -> Any:
    """Parses the HTTP response that `with_raw_response` returns; the client caches the result."""
    if hasattr(result, "http_response") and callable(getattr(result, "parse", None)):
        parsed = result.parse()
        return None if inspect.isawaitable(parsed) else parsed
    return result


def _events(
    watch: Watch, events: Iterator[Any], hides: Callable[[Any], bool] | None
) -> Iterator[Any]:
    """Records the call when the stream ends, breaks off, or the program stops reading. A stream
    that fails before its first event is a failed call.
    """
    try:
        for event in events:
            watch.read(event, True)
            if not (hides and hides(event)):
                yield event
    except BaseException as error:
        watch.fail(error)
        raise
    finally:
        watch.finish()


async def _async_events(
    watch: Watch, events: AsyncIterator[Any], hides: Callable[[Any], bool] | None
) -> AsyncIterator[Any]:
    try:
        async for event in events:
            watch.read(event, True)
            if not (hides and hides(event)):
                yield event
    except BaseException as error:
        watch.fail(error)
        raise
    finally:
        watch.finish()
