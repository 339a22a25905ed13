"""The `observe` decorator: each call of a function is a run."""

from __future__ import annotations

import asyncio
import functools
import inspect
import time
from collections.abc import Mapping
from typing import Any, Callable, TypeVar, cast

from .backoff import backoff
from .errors import PolicyViolationError
from .observer import Observer
from .policy import PolicyResult
from .run import Run

F = TypeVar("F", bound=Callable[..., Any])
MAX_CHECKS = 5
_POLICY_FIELDS = "workflow_name session_id user_id user_group end_user_id inputs agent_id".split()


def decorate(find_observer: Callable[[], Observer], fn: F, options: dict[str, Any]) -> F:
    """Wraps a function. `find_observer` runs on each call, because functions are often decorated
    before `init`.
    """
    call = _Call(find_observer, fn, options)
    if inspect.isasyncgenfunction(fn):
        return cast(F, functools.wraps(fn)(_async_generator(call)))
    if inspect.iscoroutinefunction(fn):
        return cast(F, functools.wraps(fn)(_coroutine(call)))
    if inspect.isgeneratorfunction(fn):
        return cast(F, functools.wraps(fn)(_generator(call)))
    return cast(F, functools.wraps(fn)(_function(call)))


# These are functions rather than callable objects, so that they can be methods.


def _async_generator(call: _Call) -> Callable[..., Any]:
    async def observed(*args: Any, **kwargs: Any) -> Any:
        items = call.async_generator(*args, **kwargs)
        try:
            async for item in items:
                yield item
        finally:
            await items.aclose()

    return observed


def _coroutine(call: _Call) -> Callable[..., Any]:
    async def observed(*args: Any, **kwargs: Any) -> Any:
        return await call.coroutine(*args, **kwargs)

    return observed


def _generator(call: _Call) -> Callable[..., Any]:
    def observed(*args: Any, **kwargs: Any) -> Any:
        return (yield from call.generator(*args, **kwargs))

    return observed


def _function(call: _Call) -> Callable[..., Any]:
    def observed(*args: Any, **kwargs: Any) -> Any:
        return call.function(*args, **kwargs)

    return observed


class _Call:
    def __init__(
        self, find_observer: Callable[[], Observer], fn: Callable[..., Any], options: dict[str, Any]
    ) -> None:
        self._find_observer = find_observer
        self._fn = fn
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

    # The four types of functions

    def function(self, *args: Any, **kwargs: Any) -> Any:
        observer = self._find_observer()
        attempt = 0
        while True:
            described = self._describe(observer, attempt, args, kwargs)
            if self._enforces and not self._admit(observer, described):
                return None
            with observer.start_run(**described).within() as run:
                result = self._finish(run, args, kwargs)
            args, kwargs, again = self._retried(run, attempt, args, kwargs)
            if not again:
                return result
            attempt += 1

    async def coroutine(self, *args: Any, **kwargs: Any) -> Any:
        observer = self._find_observer()
        attempt = 0
        while True:
            described = self._describe(observer, attempt, args, kwargs)
            if self._enforces and not await self._admit_async(observer, described):
                return None
            with observer.start_run(**described).within() as run:
                try:
                    result = await self._fn(*args, **kwargs)
                except BaseException as error:
                    run.fail(error)
                    raise
                self._complete(run, result)
            if not self._retry_with:
                return result
            args, kwargs, again = await asyncio.to_thread(self._retried, run, attempt, args, kwargs)
            if not again:
                return result
            attempt += 1

    def generator(self, *args: Any, **kwargs: Any) -> Any:
        observer = self._find_observer()
        described = self._describe(observer, 0, args, kwargs)
        if self._enforces and not self._admit(observer, described):
            return
        run = observer.start_run(**described)
        items = self._fn(*args, **kwargs)
        sent: Any = None
        try:
            while True:
                # Each step is within the run; the code that reads the generator is not.
                with run.within():
                    try:
                        item = items.send(sent)
                    except StopIteration as end:
                        self._complete(run, end.value)
                        return end.value
                sent = yield item
        except GeneratorExit:
            items.close()
            run.complete()
            raise
        except BaseException as error:
            run.fail(error)
            raise

    async def async_generator(self, *args: Any, **kwargs: Any) -> Any:
        observer = self._find_observer()
        described = self._describe(observer, 0, args, kwargs)
        if self._enforces and not await self._admit_async(observer, described):
            return
        run = observer.start_run(**described)
        items = self._fn(*args, **kwargs)
        sent: Any = None
        try:
            while True:
                with run.within():
                    try:
                        item = await items.asend(sent)
                    except StopAsyncIteration:
                        run.complete()
                        return
                sent = yield item
        except GeneratorExit:
            await items.aclose()
            run.complete()
            raise
        except BaseException as error:
            run.fail(error)
            raise

    # Parts

    def _describe(self, observer: Observer, attempt: int, args: Any, kwargs: Any) -> dict[str, Any]:
        described = {**self._options}
        if self._per_call:
            try:
                described.update(self._per_call(*args, **kwargs))
            except Exception as error:
                observer._report.problem("invalid", f"per_call failed: {error!r}")
        if not described.get("agent_name"):
            described["agent_name"] = self._fn.__name__
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

    def _finish(self, run: Run, args: Any, kwargs: Any) -> Any:
        try:
            result = self._fn(*args, **kwargs)
        except BaseException as error:
            run.fail(error)
            raise
        if inspect.isawaitable(result):
            return _observed_awaitable(self, run, result)
        self._complete(run, result)
        return result

    def _complete(self, run: Run, result: Any) -> None:
        run.complete(result if run._settings.capture_content else None)

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


async def _observed_awaitable(call: _Call, run: Run, awaitable: Any) -> Any:
    with run.within():
        try:
            result = await awaitable
        except BaseException as error:
            run.fail(error)
            raise
    call._complete(run, result)
    return result
