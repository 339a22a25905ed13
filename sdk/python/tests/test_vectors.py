"""Runs the golden vectors that both SDKs share: sdk/vectors."""

import json
import pathlib
import re
import unittest

from svc_observe import Prompt
from svc_observe.call_readers import ChatCompletion, Embedding, Message, Response
from svc_observe.trace_context import read_traceparent
from svc_observe.wire import (
    policy_request,
    wire_call,
    wire_event,
    wire_failed_call,
    wire_score,
    wire_span,
    wire_start,
    wire_step,
)

READERS = {
    "chat": ChatCompletion,
    "responses": Response,
    "embeddings": Embedding,
    "messages": Message,
}
VECTORS = pathlib.Path(__file__).resolve().parents[2] / "vectors"


def snake(name):
    return re.sub("[A-Z]", lambda match: "_" + match.group(0).lower(), name)


def exception(error):
    if isinstance(error, str):
        return error
    return type(error["name"], (Exception,), {})(error["message"])


def form(kind, given, now, capture):
    if kind == "event":
        return wire_event(given, now)
    given = {snake(name): value for name, value in given.items()}
    if kind == "call":
        return wire_call(now, capture, **given)
    if kind == "failedCall":
        return wire_failed_call(exception(given.pop("error")), capture, **given)
    if kind == "span":
        return wire_span(**given)
    if kind == "score":
        return wire_score(given["name"], given["value"], given.get("comment"))
    if kind == "step":
        return wire_step(given["name"], given.get("output"))
    if kind == "traceparent":
        remote = read_traceparent(given["header"])
        return {"trace_id": remote.trace_id, "parent_span_id": remote.span_id} if remote else {}
    if kind == "start":
        return wire_start(now, **given)
    return policy_request(given, 8_000_000)


class Vectors(unittest.TestCase):
    def test_wire(self):
        vectors = json.loads((VECTORS / "wire.json").read_text("utf-8"))
        for case in vectors["cases"]:
            with self.subTest(case["name"]):
                capture = case.get("captureContent", False)
                sent = form(case["kind"], case["given"], vectors["now"] / 1000, capture)
                self.assertEqual(json.loads(json.dumps(sent)), case["wire"])

    def test_responses(self):
        vectors = json.loads((VECTORS / "responses.json").read_text("utf-8"))
        now = json.loads((VECTORS / "wire.json").read_text("utf-8"))["now"] / 1000
        common = vectors["common"]
        for case in vectors["cases"]:
            with self.subTest(case["name"]):
                reader = READERS[case["format"]](case["body"])
                if "response" in case:
                    reader.read(case["response"], False)
                for event in case.get("events", []):
                    reader.read(event, True)
                sent = wire_call(now, True, **reader.call(common["duration_ms"]))
                self.assertEqual(json.loads(json.dumps(sent)), {**common, **case["wire"]})

    def test_prompts(self):
        for case in json.loads((VECTORS / "prompts.json").read_text("utf-8")):
            with self.subTest(case["content"]):
                prompt = Prompt("p", 1, case["content"])
                self.assertEqual(prompt.compile(case["variables"]), case["compiled"])
                self.assertEqual(prompt.missing_variables(case["variables"]), case["missing"])


if __name__ == "__main__":
    unittest.main()
