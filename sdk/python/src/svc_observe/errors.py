"""Exceptions of the package."""

from __future__ import annotations

from typing import Any


class ObserveError(Exception):
    """Something went wrong while observing; the program goes on. It reaches `on_error` only.

    `code`: unconfigured, unreachable, refused, dropped, invalid or policy_unchecked. `reason`: why
    the control plane refused, as listed in its docs/errors.md; None without its answer.
    """

    def __init__(self, code: str, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason


class PromptError(Exception):
    """A prompt could not be fetched, and no fallback was given.

    `status` is 404 if there is no such prompt, version or label, None without an answer. `reason` is
    the control plane's, as listed in its docs/errors.md.
    """

    def __init__(
        self, message: str, status: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class MemoryStoreError(Exception):
    """Memory could not be read or written. `status` is None without an answer; `reason` is the
    control plane's, as listed in its docs/errors.md."""

    def __init__(
        self, message: str, status: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class PolicyViolationError(Exception):
    """A policy does not allow this. The message is the policy's reason."""

    def __init__(self, action: str, reason: str, metadata: dict[str, Any]) -> None:
        super().__init__(reason or f"denied by a policy: {action}")
        self.action = action
        self.reason = reason
        self.metadata = metadata
