"""Settings of an observer. Options override the environment; either of them can disable it."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Callable
from urllib.parse import urlsplit

from .errors import ObserveError

OnError = Callable[[ObserveError], None]
Mask = Callable[[Any], Any]


@dataclass(frozen=True)
class Settings:
    """The settings of an observer. Times are in seconds."""

    api_key: str
    base_url: str
    enabled: bool
    capture_content: bool
    agent_name: str
    flush_interval: float
    max_queue: int
    timeout: float
    retry_delay: float
    sample_rate: float
    mask: Mask | None
    debug: bool
    on_error: OnError | None
    #: A configuration error that disables the SDK, in one line.
    problem: str | None


def read_settings(
    env: Mapping[str, str] | None = None,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    enabled: bool | None = None,
    capture_content: bool | None = None,
    agent_name: str | None = None,
    flush_interval: float | None = None,
    max_queue: int | None = None,
    timeout: float | None = None,
    retry_delay: float | None = None,
    sample_rate: float | None = None,
    mask: Mask | None = None,
    debug: bool | None = None,
    on_error: OnError | None = None,
) -> Settings:
    env = os.environ if env is None else env
    key = (api_key if api_key is not None else env.get("SVC_API_KEY", "")).strip()
    url = (base_url if base_url is not None else env.get("SVC_API_URL", "")).strip().rstrip("/")
    wanted = enabled is not False and not _is_off(env.get("SVC_OBSERVE"))
    problem = _problem_of(key, url) if wanted else None
    rate = sample_rate if sample_rate is not None else _number(env.get("SVC_SAMPLE_RATE"))
    return Settings(
        api_key=key,
        base_url=url,
        enabled=wanted and problem is None,
        capture_content=_flag(capture_content, env.get("SVC_CAPTURE_CONTENT")),
        agent_name=agent_name or "default",
        flush_interval=_at_least(0.0, flush_interval, 1.0),
        max_queue=int(_at_least(1, max_queue, 50_000)),
        timeout=_at_least(0.001, timeout, 10.0),
        retry_delay=_at_least(0.001, retry_delay, 0.5),
        sample_rate=min(_at_least(0.0, rate, 1.0), 1.0),
        mask=mask,
        debug=_flag(debug, env.get("SVC_DEBUG")),
        on_error=on_error,
        problem=problem,
    )


def _problem_of(key: str, url: str) -> str | None:
    if not key:
        return "no API key: set SVC_API_KEY, or api_key in init()"
    # Other characters are invalid in a header. The message must not contain the key.
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        return "the API key contains invalid characters"
    if not url:
        return "no control plane URL: set SVC_API_URL, or base_url in init()"
    if not _is_http(url):
        return f'"{url}" is not an http or https URL: check SVC_API_URL, or base_url in init()'
    return None


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_off(text: str | None) -> bool:
    return (text or "").strip().lower() in ("false", "0", "off", "no")


def _is_on(text: str | None) -> bool:
    return (text or "").strip().lower() in ("true", "1", "on", "yes")


def _flag(given: bool | None, text: str | None) -> bool:
    return _is_on(text) if given is None else bool(given)


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _at_least(least: float, given: float | None, default: float) -> float:
    if not isinstance(given, (int, float)) or not math.isfinite(given):
        return default
    return max(least, given)
