"""The content of one request. Its id stays the same on retries."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .limits import to_json

# The server accepts 1,000 items and 10 MB, including the overhead of the request.
MAX_ITEMS = 1000
MAX_BYTES = 8_000_000
# The number of times that a batch and its parts may be split to find an invalid item.
MAX_SPLITS = 24

KINDS = ("calls", "steps", "spans", "scores", "events")
_PATHS = {"calls": "llm-calls", "steps": "steps", "spans": "spans", "scores": "scores"}
_OBSERVE = "/api/v1/observe"
START_PATH = f"{_OBSERVE}/runs/start/"


@dataclass(frozen=True)
class Item:
    """One record, serialized."""

    json: str
    bytes: int


def item_of(value: dict[str, Any]) -> Item:
    text = to_json(value)
    return Item(text, len(text.encode("utf-8")))


def with_field(item: Item, name: str, value: str) -> Item:
    """Adds a field, which an existing field overrides. `bytes` stays the size that the queue
    counted.
    """
    return Item("{" + json.dumps(name) + ":" + json.dumps(value) + "," + item.json[1:], item.bytes)


@dataclass
class Budget:
    splits: int = MAX_SPLITS


@dataclass
class Batch:
    #: start, complete or one of KINDS
    kind: str
    path: str
    items: Sequence[Item]
    budget: Budget = field(default_factory=Budget)
    #: The number of error responses, without those of an unavailable server.
    failures: int = 0
    id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def body(self) -> str:
        head = '{"batch_id":"' + self.id + '",'
        if self.kind in ("start", "complete"):
            return head + self.items[0].json[1:]
        return head + f'"{self.kind}":[' + ",".join(item.json for item in self.items) + "]}"


def path_of(kind: str, run_id: str) -> str:
    if kind == "events":
        return f"{_OBSERVE}/events/"
    return f"{_OBSERVE}/runs/{run_id}/{'complete' if kind == 'complete' else _PATHS[kind]}/"


def count_within_limits(items: list[Item]) -> int:
    """Returns how many items, starting with the first, fit into one request. At least one."""
    size = 0
    for index, item in enumerate(items):
        size += item.bytes + 1
        if index == MAX_ITEMS or (size > MAX_BYTES and index > 0):
            return index
    return len(items)
