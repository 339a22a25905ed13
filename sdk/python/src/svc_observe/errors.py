"""Exceptions of the package."""

from __future__ import annotations

from typing import Any


class ObserveError(Exception):
    """Something went wrong while observing; the program goes on. It reaches `on_error` only.

    `code`: unconfigured, unreachable, refused, dropped, invalid or policy_unchecked.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class PromptError(Exception):
    """A prompt could not be fetched, and no fallback was given.

    `status` is 404 if there is no such prompt, version or label, None without an answer.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class MemoryStoreError(Exception):
    """Memory could not be read or written. `status` is None without an answer."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class PolicyViolationError(Exception):
    """A policy does not allow this. The message is the policy's reason."""

    def __init__(self, action: str, reason: str, metadata: dict[str, Any]) -> None:
        super().__init__(reason or f"denied by a policy: {action}")
        self.action = action
        self.reason = reason
        self.metadata = metadata
