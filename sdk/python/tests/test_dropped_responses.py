"""Responses that the program drops: the garbage collector decides where their calls end."""

import os
import pathlib
import subprocess
import sys
import unittest

from .test_provider_calls import CHUNK, USAGE, ProviderCalls, RawResponse, collect_garbage

ROOT = pathlib.Path(__file__).parent.parent

#: Drops a response or an observed generator that is collected while the observer starts a run.
PROGRAM = """
import gc, sys, types
from svc_observe import Observer, observe, wrap_openai
from tests.test_provider_calls import CHUNK, RawResponse, collect_garbage

gc.disable()
observer = Observer({}, api_key="k", base_url=sys.argv[1])
start_run = observer.start_run
held = []

def collect_and_start(*args, **options):
    held.clear()
    collect_garbage()
    return start_run(*args, **options)

observer.start_run = collect_and_start

@observe(observer=observer)
def numbers():
    yield 1
    yield 2

completions = types.SimpleNamespace(_post=lambda path, body: RawResponse(CHUNK, CHUNK))
client = types.SimpleNamespace(chat=types.SimpleNamespace(completions=completions))
wrap_openai(client, observer=observer)
raw = completions._post("/chat/completions", body={"model": "m", "stream": True})
kept = [raw]
if sys.argv[2] == "read":
    events = iter(raw.parse())
    next(events)
    kept.append(events)
    del events
if sys.argv[2] == "generator":
    events = numbers()
    next(events)
    held.append(raw)
    kept = [events]
    del events
kept.append(kept)
del raw, kept
observer.record_step("load")
assert observer.shutdown(60)
"""


class CollectedWhileLocked(ProviderCalls):
    def assert_recorded(self, how, model):
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(["src", *sys.path])}
        # Without the limit, a deadlock would hang the test.
        program = [sys.executable, "-c", PROGRAM, self.plane.url, how]
        subprocess.run(program, cwd=ROOT, env=env, timeout=60, check=True)
        self.assertEqual([call["model"] for call in self.plane.items("calls")], [model])
        self.assertEqual(len(self.plane.items("steps")), 1)

    def test_an_unread_response(self):
        self.assert_recorded("unread", "m")

    def test_an_unread_response_and_then_a_generator_that_completes_its_run(self):
        self.assert_recorded("generator", "m")

    def test_a_partly_read_stream(self):
        self.assert_recorded("read", "m-1")


class RunsOfDroppedResponses(ProviderCalls):
    def runs_of_calls(self):
        """Returns the ids of the runs of the calls that have arrived, and the calls."""
        self.assertTrue(self.observer.flush(30))
        requests = [seen for seen in self.plane.taken if seen.endpoint == "llm-calls"]
        return [seen.path.split("/")[-3] for seen in requests], self.plane.items("calls")

    def raw(self):
        return self.returning(RawResponse(CHUNK, USAGE))(stream=True)

    def test_a_call_outside_any_run_does_not_belong_to_the_run_in_which_it_ends(self):
        dropped, read = self.raw(), self.raw()
        with self.observer.start_run("other") as run:
            del dropped
            collect_garbage()
            list(read.parse())
            run.record_step("load")
        run_ids, calls = self.runs_of_calls()
        self.assertEqual(len(calls), 2)
        self.assertNotIn(run.id, run_ids)

    def test_a_call_in_a_run_belongs_to_it_and_arrives_before_its_completion(self):
        with self.observer.start_run("a") as run:
            raw = self.raw()
            with self.observer.start_run("inner"), run.span("plan"):
                del raw
                collect_garbage()
        run_ids, (call,) = self.runs_of_calls()
        self.assertEqual(run_ids, [run.id])
        self.assertNotIn("parent_span_id", call)
        ends = [seen.path.split("/")[-3:-1] for seen in self.plane.taken]
        self.assertLess(ends.index([run.id, "llm-calls"]), ends.index([run.id, "complete"]))

    def test_the_next_call_queues_many_dropped_ones(self):
        for _ in range(500):
            self.observer._outbox.late.add(lambda: self.observer.record_call(model="m"))
        self.observer.record_call(model="m")
        self.assertEqual(len(self.runs_of_calls()[1]), 501)


if __name__ == "__main__":
    unittest.main()
