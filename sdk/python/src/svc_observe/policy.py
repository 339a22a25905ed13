"""Policy checks. If the server does not respond, every check passes and names this reason."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .batch import MAX_BYTES
from .limits import to_json
from .report import Reporter
from .transport import Ok, Retry, Transport, Unavailable
from .wire import policy_request

PATH = "/api/v1/observe/policy-check/"
ACTIONS = ("allow", "block", "warn", "throttle", "redact", "skip", "retry")
# The program waits for every check, so its timeout is shorter than that of background requests.
MAX_TIMEOUT = 3.0
# The time for which checks pass without a request after the server was unavailable.
UNAVAILABLE_FOR = 5.0


@dataclass(frozen=True)
class PolicyResult:
    action: str
    reason: str
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def allowed(self) -> bool:
        return self.action in ("allow", "warn")

    @property
    def blocked(self) -> bool:
        return self.action in ("block", "throttle", "skip")


class PolicyChecker:
    def __init__(self, transport: Transport, report: Reporter, timeout: float) -> None:
        self._transport = transport
        self._report = report
        self._timeout = min(timeout, MAX_TIMEOUT)
        self._unavailable_until = 0.0

    def check(self, subject: Mapping[str, Any]) -> PolicyResult:
        if time.monotonic() < self._unavailable_until:
            return self._unchecked("the control plane is unavailable")
        try:
            body = to_json(policy_request(subject, MAX_BYTES))
        except Exception:
            return self._unchecked("the subject cannot be serialized")
        result = self._transport.send("POST", PATH, body, self._timeout)
        if isinstance(result, Ok):
            return _result_of(result.body) or self._unchecked("the response contains no action")
        if isinstance(result, Unavailable):
            self._unavailable_until = time.monotonic() + UNAVAILABLE_FOR
        # The tenant has exhausted a quota.
        if isinstance(result, Retry) and result.status == 429:
            wait = round(result.retry_after * 1000)
            return PolicyResult("throttle", result.message, {"retry_after_ms": wait})
        return self._unchecked(result.message, result.reason)

    def _unchecked(self, why: str, reason: str | None = None) -> PolicyResult:
        self._report.problem("policy_unchecked", f"a policy was not checked: {why}", reason)
        return PolicyResult("allow", f"not checked: {why}")


def _result_of(body: Any) -> PolicyResult | None:
    if not isinstance(body, dict) or body.get("action") not in ACTIONS:
        return None
    reason, metadata = body.get("reason"), body.get("metadata")
    return PolicyResult(
        body["action"],
        reason if isinstance(reason, str) else "",
        metadata if isinstance(metadata, dict) else {},
    )
