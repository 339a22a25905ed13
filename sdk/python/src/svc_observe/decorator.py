"""The `observe` decorator: each call of a function is a run."""

from __future__ import annotations

import asyncio
import functools
import inspect
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Callable, TypeVar, cast

from .backoff import backoff
from .errors import PolicyViolationError
from .observer import Observer
from .policy import PolicyResult
from .run import Run

F = TypeVar("F", bound=Callable[..., Any])
MAX_CHECKS = 5
_START_OPTIONS = frozenset(inspect.signature(Observer.start_run).parameters) - {"self"}
_OPTIONS = _START_OPTIONS | {"per_call", "enforce_policy", "agent_id", "retry_with"}
_POLICY_FIELDS = "workflow_name session_id user_id user_group end_user_id inputs agent_id".split()


def decorate(find_observer: Callable[[], Observer], fn: F, options: dict[str, Any]) -> F:
    """Wraps a function. `find_observer` runs on each call, because functions are often decorated
    before `init`.

    Raises TypeError for an option that does not exist, and for anything that cannot be called.
    """
    unknown = options.keys() - _OPTIONS
    if unknown:
        raise TypeError(f"observe() has no option {', '.join(sorted(unknown))}")
    if isinstance(fn, (staticmethod, classmethod)):
        return cast(F, type(fn)(decorate(find_observer, fn.__func__, options)))
    if not callable(fn):
        raise TypeError(f"observe() decorates functions, not a {type(fn).__name__}")
    call = _Call(find_observer, fn, options)
    return cast(F, functools.wraps(fn)(_wrapper_for(fn)(call)))


def _wrapper_for(fn: Callable[..., Any]) -> Callable[[_Call], Callable[..., Any]]:
    # An object with `__call__` is as asynchronous as that method.
    is_function = inspect.isroutine(fn) or isinstance(fn, functools.partial)
    code = fn if is_function or inspect.isclass(fn) else type(fn).__call__
    if inspect.isasyncgenfunction(code):
        return _async_generator
    if inspect.iscoroutinefunction(code):
        return _coroutine
    if inspect.isgeneratorfunction(code):
        return _generator
    return _function


# These are functions rather than callable objects, so that they can be methods. Only the caller
# of a generator is outside its run: each step is within it.


def _async_generator(call: _Call) -> Callable[..., Any]:
    async def observed(*args: Any, **kwargs: Any) -> Any:
        run = await call.start_async(args, kwargs)
        if run is None:
            return
        items = call.fn(*args, **kwargs)
        step = items.__anext__
        while True:
            with _step_of(run):
                try:
                    item = await step()
                except StopAsyncIteration:
                    run.complete()
                    return
            try:
                step = functools.partial(items.asend, (yield item))
            except GeneratorExit:
                with _step_of(run):
                    await items.aclose()
                run.complete()
                raise
            except BaseException as error:
                step = functools.partial(items.athrow, error)

    return observed


def _coroutine(call: _Call) -> Callable[..., Any]:
    async def observed(*args: Any, **kwargs: Any) -> Any:
        return await call.coroutine(*args, **kwargs)

    return observed


def _generator(call: _Call) -> Callable[..., Any]:
    def observed(*args: Any, **kwargs: Any) -> Any:
        run = call.start(args, kwargs)
        if run is None:
            return None
        items = call.fn(*args, **kwargs)
        step = items.__next__
        while True:
            with _step_of(run):
                try:
                    item = step()
                except StopIteration as end:
                    call.complete(run, end.value)
                    return end.value
            try:
                step = functools.partial(items.send, (yield item))
            except GeneratorExit:
                with _step_of(run):
                    # Since Python 3.13, what the generator returns.
                    value = items.close()
                call.complete(run, value)
                if value is not None:
                    return value
                raise
            except BaseException as error:
                step = functools.partial(items.throw, error)

    return observed


@contextmanager
def _step_of(run: Run) -> Iterator[None]:
    """A step of a generator is within its run, and the run fails if it raises."""
    with run.within():
        try:
            yield
        except BaseException as error:
            run.fail(error)
            raise


def _function(call: _Call) -> Callable[..., Any]:
    def observed(*args: Any, **kwargs: Any) -> Any:
        return call.function(*args, **kwargs)

    return observed


class _Call:
    def __init__(
        self, find_observer: Callable[[], Observer], fn: Callable[..., Any], options: dict[str, Any]
    ) -> None:
        self._find_observer = find_observer
        self.fn = fn
        first = next(iter(_parameters(fn)), None)
        #: The first argument of a method is its object, which is not worth recording.
        self._is_method = first in ("self", "cls")
        self._options = dict(options)
        self._per_call: Callable[..., Mapping[str, Any]] | None = self._options.pop(
            "per_call", None
        )
        self._enforces: bool = self._options.pop("enforce_policy", False)
        self._agent_id: str | None = self._options.pop("agent_id", None)
        self._retry_with: Callable[..., Any] | None = self._options.pop("retry_with", None)

    def start(self, args: Any, kwargs: Any, attempt: int = 0) -> Run | None:
        """Starts the run of a call. Returns None if a policy skips the call."""
        observer = self._find_observer()
        described = self._describe(observer, attempt, args, kwargs)
        if self._enforces and not self._admit(observer, described):
            return None
        return observer.start_run(**described)

    async def start_async(self, args: Any, kwargs: Any, attempt: int = 0) -> Run | None:
        observer = self._find_observer()
        described = self._describe(observer, attempt, args, kwargs)
        if self._enforces and not await self._admit_async(observer, described):
            return None
        return observer.start_run(**described)

    def complete(self, run: Run, result: Any) -> None:
        run.complete(result if run._settings.capture_content else None)

    def function(self, *args: Any, **kwargs: Any) -> Any:
        attempt = 0
        while True:
            run = self.start(args, kwargs, attempt)
            if run is None:
                return None
            with _step_of(run):
                result = self.fn(*args, **kwargs)
            if inspect.isawaitable(result):
                return self._observe_awaitable(run, result)
            self.complete(run, result)
            args, kwargs, again = self._retried(run, attempt, args, kwargs)
            if not again:
                return result
            attempt += 1

    async def coroutine(self, *args: Any, **kwargs: Any) -> Any:
        attempt = 0
        while True:
            run = await self.start_async(args, kwargs, attempt)
            if run is None:
                return None
            with _step_of(run):
                result = await self.fn(*args, **kwargs)
            self.complete(run, result)
            if not self._retry_with:
                return result
            args, kwargs, again = await asyncio.to_thread(self._retried, run, attempt, args, kwargs)
            if not again:
                return result
            attempt += 1

    # Parts

    def _describe(self, observer: Observer, attempt: int, args: Any, kwargs: Any) -> dict[str, Any]:
        described = {**self._options, **self._options_of_call(observer, args, kwargs)}
        if not described.get("agent_name"):
            described["agent_name"] = _name_of(self.fn)
        if observer.settings.capture_content and described.get("inputs") is None:
            shown = args[1:] if self._is_method else args
            described["inputs"] = {
                "arguments": list(shown),
                **({"named": kwargs} if kwargs else {}),
            }
        if attempt:
            metadata = described.get("metadata") or {}
            described["metadata"] = {**metadata, "retry_attempt": attempt}
        return described

    def _options_of_call(self, observer: Observer, args: Any, kwargs: Any) -> dict[str, Any]:
        if not self._per_call:
            return {}
        try:
            given = dict(self._per_call(*args, **kwargs))
        except Exception as error:
            observer._report.problem("invalid", f"per_call failed: {error!r}")
            return {}
        unknown = sorted(str(name) for name in given.keys() - _START_OPTIONS)
        if unknown:
            problem = f"per_call returned unknown options: {', '.join(unknown)}"
            observer._report.problem("invalid", problem)
        return {name: value for name, value in given.items() if name in _START_OPTIONS}

    def _observe_awaitable(self, run: Run, awaitable: Any) -> Any:
        """Returns an awaitable of the same type."""
        if asyncio.isfuture(awaitable):
            awaitable.add_done_callback(functools.partial(self._settle, run))
            return awaitable
        if inspect.iscoroutine(awaitable):
            return self._observed_coroutine(run, awaitable)
        # When the program awaits another type cannot be seen without replacing it.
        run.complete()
        return awaitable

    async def _observed_coroutine(self, run: Run, coroutine: Any) -> Any:
        with _step_of(run):
            result = await coroutine
        self.complete(run, result)
        return result

    def _settle(self, run: Run, future: asyncio.Future[Any]) -> None:
        if future.cancelled():
            return run.fail(asyncio.CancelledError())
        # `exception()` would count as retrieving it, and asyncio would not log it any more.
        error = getattr(future, "_exception", None)
        if error is not None:
            return run.fail(error)
        return self.complete(run, future.result())

    def _retried(self, run: Run, attempt: int, args: Any, kwargs: Any) -> Any:
        """Returns the arguments of the next attempt, and whether the server requests one."""
        if not self._retry_with:
            return args, kwargs, False
        outcome = run.outcome()
        if not (outcome and outcome.should_retry and outcome.retry_feedback):
            return args, kwargs, False
        if attempt >= outcome.max_retries:
            return args, kwargs, False
        changed = self._retry_with(outcome.retry_feedback, *args, **kwargs)
        if isinstance(changed, Mapping):
            return args, {**kwargs, **changed}, True
        return tuple(changed), kwargs, True

    def _subject(self, described: Mapping[str, Any]) -> dict[str, Any]:
        subject = {key: described.get(key) for key in _POLICY_FIELDS}
        subject["agent_id"] = self._agent_id
        return subject

    def _admit(self, observer: Observer, described: Mapping[str, Any]) -> bool:
        """Checks the policies. Returns False to skip the call. Raises PolicyViolationError."""
        for attempt in range(1, MAX_CHECKS + 1):
            result = observer.check_policy(described["agent_name"], **self._subject(described))
            decision = _decide(result, attempt)
            if decision is not None:
                return decision
            time.sleep(backoff(attempt, observer.settings.retry_delay))
        return True

    async def _admit_async(self, observer: Observer, described: Mapping[str, Any]) -> bool:
        for attempt in range(1, MAX_CHECKS + 1):
            result = await asyncio.to_thread(
                observer.check_policy, described["agent_name"], **self._subject(described)
            )
            decision = _decide(result, attempt)
            if decision is not None:
                return decision
            await asyncio.sleep(backoff(attempt, observer.settings.retry_delay))
        return True


def _name_of(fn: Any) -> str:
    while isinstance(fn, functools.partial):
        fn = fn.func
    return str(getattr(fn, "__name__", type(fn).__name__))


def _parameters(fn: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        return []


def _decide(result: PolicyResult, attempt: int) -> bool | None:
    """Returns whether to make the call, or None to check again after a delay."""
    if result.action == "skip":
        return False
    if result.blocked or (result.action == "retry" and attempt == MAX_CHECKS):
        raise PolicyViolationError(result.action, result.reason, result.metadata)
    return None if result.action == "retry" else True
