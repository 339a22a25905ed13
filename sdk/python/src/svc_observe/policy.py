"""Policy checks. Without a server that answers, every check passes, and the reason says so."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .batch import MAX_BYTES
from .limits import to_json
from .report import Reporter
from .transport import Ok, Retry, Transport, Unavailable
from .wire import policy_question

PATH = "/api/v1/observe/policy-check/"
ACTIONS = ("allow", "block", "warn", "throttle", "redact", "skip", "retry")
# The program waits for this, each time: not as long as a background request may take.
LONGEST = 3.0
# While the server is away, the program waits for it only this often.
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
        self._timeout = min(timeout, LONGEST)
        self._unavailable_until = 0.0

    def check(self, subject: Mapping[str, Any]) -> PolicyResult:
        if time.monotonic() < self._unavailable_until:
            return self._unchecked("the control plane is unavailable")
        try:
            body = to_json(policy_question(subject, MAX_BYTES))
        except Exception:
            return self._unchecked("the subject cannot be serialized")
        answer = self._transport.send("POST", PATH, body, self._timeout)
        if isinstance(answer, Ok):
            return _result_of(answer.body) or self._unchecked("the response contains no action")
        if isinstance(answer, Unavailable):
            self._unavailable_until = time.monotonic() + UNAVAILABLE_FOR
        # The server accepts no more of this tenant: a used-up quota answers like this.
        if isinstance(answer, Retry) and answer.status == 429:
            wait = round(answer.retry_after * 1000)
            return PolicyResult("throttle", answer.message, {"retry_after_ms": wait})
        return self._unchecked(answer.message, answer.reason)

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
