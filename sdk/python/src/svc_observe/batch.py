"""What travels in one request. However often it is sent, it keeps its id, by which the server knows
for a day that it has it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .limits import to_json

# The server takes 1,000 items and 10 MB; the rest of the request needs a little of that.
MAX_ITEMS = 1000
MAX_BYTES = 8_000_000
# Refusals that a batch and its parts may cause while the item at fault is searched.
REFUSALS = 24

KINDS = ("calls", "steps", "spans", "scores", "events")
_PATHS = {"calls": "llm-calls", "steps": "steps", "spans": "spans", "scores": "scores"}
_OBSERVE = "/api/v1/observe"
START_PATH = f"{_OBSERVE}/runs/start/"


@dataclass(frozen=True)
class Item:
    """One record, already as it will be sent."""

    json: str
    bytes: int


def item_of(value: dict[str, Any]) -> Item:
    text = to_json(value)
    return Item(text, len(text.encode("utf-8")))


def with_field(item: Item, name: str, value: str) -> Item:
    """Adds a field in front of its own, which win. The size stays what the queue counts."""
    return Item("{" + json.dumps(name) + ":" + json.dumps(value) + "," + item.json[1:], item.bytes)


@dataclass
class Budget:
    refusals: int = REFUSALS


@dataclass
class Batch:
    #: start, complete or one of KINDS
    kind: str
    path: str
    items: Sequence[Item]
    budget: Budget = field(default_factory=Budget)
    #: Times that the server was there and failed.
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


def fitting(items: list[Item]) -> int:
    """How many of these, from the first on, fit into one request. One always does."""
    size = 0
    for index, item in enumerate(items):
        size += item.bytes + 1
        if index == MAX_ITEMS or (size > MAX_BYTES and index > 0):
            return index
    return len(items)
