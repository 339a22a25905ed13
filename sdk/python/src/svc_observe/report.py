"""Reports problems to `on_error`, or logs the first one of each code as a warning."""

from __future__ import annotations

import logging

from .errors import ObserveError
from .settings import OnError

log = logging.getLogger("svc_observe")


class Reporter:
    def __init__(self, on_error: OnError | None, debug: bool) -> None:
        self._on_error = on_error
        self._debug = debug
        self._warned: set[str] = set()

    def problem(self, code: str, message: str, reason: str | None = None) -> None:
        self.debug(f"{code}: {message}")
        if self._on_error:
            try:
                self._on_error(ObserveError(code, message, reason))
            except Exception:  # An error of the callback itself cannot be reported.
                pass
            return
        if code in self._warned:
            return
        self._warned.add(code)
        log.warning("svc_observe: %s", message)

    def debug(self, message: str) -> None:
        if self._debug:
            log.warning("svc_observe: %s", message)
