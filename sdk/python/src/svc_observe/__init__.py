"""Records the runs of AI agents, fetches managed prompts and checks policies.

import svc_observe
from svc_observe import observe, record_call

svc_observe.init(api_key="…", base_url="https://control.example")

@observe
def answer(question: str) -> str:
    record_call(model="gpt-4o", tokens_in=1000, tokens_out=500)
    return "42"
"""

from __future__ import annotations

import contextvars
import functools
import os
import threading
from contextlib import AbstractContextManager
from typing import Any, Callable, TypeVar, overload

from .decorator import decorate
from .errors import MemoryStoreError, ObserveError, PolicyViolationError, PromptError
from .memory_store import Memory
from .observer import Observer
from .open_span import OpenSpan
from .outbox import Stats
from .policy import PolicyResult
from .prompts import Prompt
from .run import Outcome, Run
from .version import VERSION as __version__
from .wrap_anthropic import wrap_anthropic
from .wrap_openai import wrap_openai

F = TypeVar("F", bound=Callable[..., Any])

_observer: Observer | None = None
_lock = threading.Lock()


def _reset_lock() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_lock)


def default_observer() -> Observer:
    """Returns the observer of this process. Without `init`, the environment configures it."""
    global _observer
    with _lock:
        if _observer is None:
            _observer = Observer()
        return _observer


def init(**options: Any) -> Observer:
    """Creates the observer of this process. A previous one is flushed and shut down.

    Options: `api_key`, `base_url`, `enabled`, `capture_content`, `agent_name`, `max_queue` (number
    of records), `flush_interval`, `timeout` and `retry_delay` (seconds), `sample_rate` (0 to 1),
    `mask` (called with a text, returns the text to send), `debug`, `on_error` (called with an
    ObserveError).
    """
    global _observer
    with _lock:
        before, _observer = _observer, Observer(**options)
        observer = _observer
    if before is not None:
        before.shutdown()
    return observer


@overload
def observe(fn: F) -> F: ...
@overload
def observe(**options: Any) -> Callable[[F], F]: ...


def observe(fn: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Wraps a function, coroutine, generator or async generator so that each call is a run.

    Options: those of `start_run`; `per_call`, called with the arguments, returns options of this
    call; `enforce_policy` checks the policies before each call: block and throttle raise
    PolicyViolationError, skip returns None without calling the function, retry waits and checks
    again; `agent_id` identifies an instance of the agent for policies;
    `retry_with(feedback, *args, **kwargs)` is called when the server requests a retry, and returns
    the arguments of the retry; `observer`.
    """
    own = options.pop("observer", None)
    find = (lambda: own) if own is not None else default_observer
    if fn is not None:
        return decorate(find, fn, options)
    return lambda decorated: decorate(find, decorated, options)


def in_context(fn: F) -> F:
    """Binds a function to the current run, so that another thread can call it within that run."""
    context = contextvars.copy_context()

    @functools.wraps(fn)
    def bound(*args: Any, **kwargs: Any) -> Any:
        # Each call needs its own copy: a context cannot be entered twice at the same time.
        return context.copy().run(fn, *args, **kwargs)

    return bound  # type: ignore[return-value]


def start_run(*args: Any, **kwargs: Any) -> Run:
    return default_observer().start_run(*args, **kwargs)


def current_run() -> Run | None:
    return default_observer().current_run()


def check_policy(agent_name: str, **subject: Any) -> PolicyResult:
    return default_observer().check_policy(agent_name, **subject)


def get_prompt(name: str, **query: Any) -> Prompt:
    return default_observer().get_prompt(name, **query)


def memory(scope_key: str) -> Memory:
    return default_observer().memory(scope_key)


def span(name: str, **options: Any) -> AbstractContextManager[OpenSpan]:
    """Records a block as a span of the current run; see `Run.span`."""
    return default_observer().span(name, **options)


def record_call(**call: Any) -> None:
    default_observer().record_call(**call)


def record_calls(calls: Any) -> None:
    default_observer().record_calls(calls)


def record_failed_call(error: Any, **call: Any) -> None:
    default_observer().record_failed_call(error, **call)


def record_step(name: str, output: Any = None) -> None:
    default_observer().record_step(name, output)


def record_span(**span: Any) -> None:
    default_observer().record_span(**span)


def record_tool(name: str, **tool: Any) -> None:
    default_observer().record_tool(name, **tool)


def record_retrieval(query: str, **retrieval: Any) -> None:
    default_observer().record_retrieval(query, **retrieval)


def record_decision(options: Any, chosen: Any, **decision: Any) -> None:
    default_observer().record_decision(options, chosen, **decision)


def record_reasoning(thought: str, **reasoning: Any) -> None:
    default_observer().record_reasoning(thought, **reasoning)


def record_retry(attempt: int, **retry: Any) -> None:
    default_observer().record_retry(attempt, **retry)


def record_score(name: str, value: Any, comment: str | None = None) -> None:
    default_observer().record_score(name, value, comment)


def record_event(event: Any) -> None:
    default_observer().record_event(event)


def flush(timeout: float | None = None) -> bool:
    return default_observer().flush(timeout)


def shutdown(timeout: float | None = None) -> bool:
    return default_observer().shutdown(timeout)


def stats() -> Stats:
    return default_observer().stats()


__all__ = [
    "Memory",
    "MemoryStoreError",
    "ObserveError",
    "Observer",
    "Outcome",
    "OpenSpan",
    "PolicyResult",
    "PolicyViolationError",
    "Prompt",
    "PromptError",
    "Run",
    "Stats",
    "__version__",
    "check_policy",
    "current_run",
    "default_observer",
    "flush",
    "get_prompt",
    "in_context",
    "init",
    "memory",
    "observe",
    "record_call",
    "record_calls",
    "record_decision",
    "record_event",
    "record_failed_call",
    "record_reasoning",
    "record_retrieval",
    "record_retry",
    "record_score",
    "record_span",
    "record_step",
    "record_tool",
    "shutdown",
    "span",
    "start_run",
    "stats",
    "wrap_anthropic",
    "wrap_openai",
]
