"""Exceptions of the package."""

from __future__ import annotations

from typing import Any


class ObserveError(Exception):
    """A problem of the SDK, reported to `on_error` and never raised into the program.

    `code` is unconfigured, unreachable, refused, dropped, invalid or policy_unchecked. `reason` is
    the control plane's, as listed in its docs/errors.md, and None without a response.
    """

    def __init__(self, code: str, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason


class PromptError(Exception):
    """A prompt could not be fetched, and there is no fallback.

    `status` is 404 if the prompt, version or label does not exist, and None without a response.
    `reason` is the control plane's, as listed in its docs/errors.md.
    """

    def __init__(
        self, message: str, status: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class MemoryStoreError(Exception):
    """Memory could not be read or written. `status` is None without a response; `reason` is the
    control plane's, as listed in its docs/errors.md."""

    def __init__(
        self, message: str, status: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class PolicyViolationError(Exception):
    """A policy denied the action. The message is the policy's reason."""

    def __init__(self, action: str, reason: str, metadata: dict[str, Any]) -> None:
        super().__init__(reason or f"denied by a policy: {action}")
        self.action = action
        self.reason = reason
        self.metadata = metadata
