"""Records the requests of a provider's client, with or without streaming, sync or async.

All methods of a resource (`create`, `parse`, `stream`) call its `_post`, whose result is returned
unchanged. Streams and unread bodies are recorded as the program reads them: `watch_stream.py`,
`watch_body.py`.
"""

from __future__ import annotations

import contextvars
import functools
import inspect
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable

from .call_readers import CallReader, CallReaderFactory
from .open_span import current_span
from .run import current_run
from .watch_body import is_raw, is_unread, parse_later, read_response, watch_body
from .watch_stream import watch_raw_stream, watch_stream

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
        recorder = run or self._observer or default_observer()
        recorder._outbox.late.record()
        return Watch(reader, recorder, known)


class Watch:
    def __init__(self, reader: CallReader, recorder: Any, known: Mapping[str, Any]) -> None:
        self._reader = reader
        self._recorder = recorder
        self._known = known
        self._began = time.monotonic()
        self._first: float | None = None
        self._is_recorded = False
        #: Whether the program has begun to read a stream, and whether it is waiting for an event.
        self._has_begun = self._is_waiting = False

    def read(self, value: Any, is_event: bool) -> None:
        if is_event and self._first is None:
            self._first = time.monotonic()
        try:
            self._reader.read(value, is_event)
        except Exception:  # An unknown format: what was read so far is recorded.
            pass

    def finish(self) -> None:
        """Records the call with what has been read, unless it is recorded already."""
        if not self._is_recorded:
            self._is_recorded = True
            self._record(self._duration_ms())

    def finish_later(self) -> None:
        """Like `finish`, but takes no lock and runs no code of the program, because the garbage
        collector may be the caller.
        """
        if not self._is_recorded:
            self._is_recorded = True
            late = functools.partial(self._record, self._duration_ms())
            self._recorder._outbox.late.add(late)

    def wait(self, is_waiting: bool) -> None:
        """Notes that the program waits for the next event of a stream, or handles one."""
        self._has_begun = True
        self._is_waiting = is_waiting

    def close(self) -> None:
        """Records the call when the program closes the response. While it waits for an event, the
        client closes the response at the end of the stream, or because the stream has failed.
        """
        if not self._is_waiting:
            # The garbage collector closes the streams of clients, too.
            self.finish_later()

    def drop(self) -> None:
        """Records the call when the program drops a response that it has not begun to read."""
        if not self._has_begun:
            self.finish_later()

    def fail(self, error: BaseException) -> None:
        """Records a failed call, unless a stream has begun: the provider charges for its events.

        A coroutine or generator that the program closes early is not a failure.
        """
        if self._is_recorded or self._first is not None or isinstance(error, GeneratorExit):
            return
        self._is_recorded = True
        whole = self._call(self._duration_ms())
        call = {name: value for name, value in whole.items() if name in _OF_FAILED_CALLS}
        _outside_runs(self._recorder.record_failed_call, error, **call)

    def _record(self, duration_ms: float) -> None:
        first = None if self._first is None else (self._first - self._began) * 1000
        call = {**self._call(duration_ms), "time_to_first_token_ms": first}
        _outside_runs(self._recorder.record_call, **call)

    def _duration_ms(self) -> float:
        return (time.monotonic() - self._began) * 1000

    def _call(self, duration_ms: float) -> Body:
        return {**self._reader.call(duration_ms), **self._known}


def _outside_runs(record: Callable[..., None], *args: Any, **call: Any) -> None:
    """Records without a current run and span. The recorder and the fields of a call have those in
    which it was made; the current ones may be of other code, which reads or drops its response.
    """

    def outside() -> None:
        current_run.set(None)
        current_span.set(None)
        record(*args, **call)

    contextvars.copy_context().run(outside)


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
        is_stream = body.get("stream") is True
        try:
            result = post(path, **options)
        except BaseException as error:
            watch.fail(error)
            raise
        if inspect.isawaitable(result):
            return _later(watch, result, hides, is_stream)
        _observe(watch, result, hides, is_stream)
        return result

    watched._svc_observe = True  # type: ignore[attr-defined]
    resource._post = watched


def watch_copies(client: Any, wrap: Callable[[Any], Any]) -> None:
    """Wraps the clients that `copy` and `with_options` derive, each with its own resources."""
    for name in ("copy", "with_options"):
        derive = getattr(client, name, None)
        if callable(derive) and not getattr(derive, "_svc_observe", False):
            setattr(client, name, _wrapping(derive, wrap))


def _wrapping(derive: Callable[..., Any], wrap: Callable[[Any], Any]) -> Callable[..., Any]:
    @functools.wraps(derive)
    def derived(*args: Any, **options: Any) -> Any:
        return wrap(derive(*args, **options))

    derived._svc_observe = True  # type: ignore[attr-defined]
    return derived


async def _later(
    watch: Watch, result: Any, hides: Callable[[Any], bool] | None, is_stream: bool
) -> Any:
    try:
        response = await result
    except BaseException as error:
        watch.fail(error)
        raise
    is_asynchronous = is_raw(response) and inspect.iscoroutinefunction(response.parse)
    if not is_stream and is_asynchronous and not is_unread(response):
        await parse_later(watch, response)
    else:
        _observe(watch, response, hides, is_stream)
    return response


def _observe(
    watch: Watch, result: Any, hides: Callable[[Any], bool] | None, is_stream: bool
) -> None:
    if is_stream and is_raw(result):
        watch_raw_stream(watch, result, hides)
    elif is_raw(result) and is_unread(result):
        watch_body(watch, result)
    elif not watch_stream(watch, result, hides):
        read_response(watch, result)
