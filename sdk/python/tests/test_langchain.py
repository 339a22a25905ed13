"""Failures that LangChain reports to the callback handler."""

import importlib
import sys
import types
import unittest
import uuid
from unittest import mock

from .observer_case import ObserverCase


def handler_class():
    """Returns the handler. LangChain is no dependency: a plain class replaces its base class."""
    callbacks = types.ModuleType("langchain_core.callbacks")
    callbacks.BaseCallbackHandler = type("BaseCallbackHandler", (), {})
    modules = {
        "langchain_core": types.ModuleType("langchain_core"),
        "langchain_core.callbacks": callbacks,
    }
    with mock.patch.dict(sys.modules, modules):
        sys.modules.pop("svc_observe.langchain", None)
        return importlib.import_module("svc_observe.langchain").ObserveHandler


class LangChainFailures(ObserverCase):
    def setUp(self):
        super().setUp()
        self.ids = [uuid.uuid4(), uuid.uuid4()]

    def failed(self, part, *start, **options):
        """Reports a chain whose part fails. Returns the span of the part and the run's end."""
        observer = self.make(**options)
        handler = handler_class()(observer=observer)
        chain, inner = self.ids
        error = TimeoutError("card 4")
        handler.on_chain_start({"name": "chain"}, "question", run_id=chain)
        starts = getattr(handler, f"on_{part}_start")
        starts({"name": part}, *start, run_id=inner, parent_run_id=chain)
        getattr(handler, f"on_{part}_error")(error, run_id=inner)
        handler.on_chain_error(error, run_id=chain)
        self.assertTrue(observer.shutdown(30))
        (span,) = self.plane.items("spans")
        self.assertEqual(self.plane.items("calls"), [])
        self.assertEqual(span["status"], "error")
        self.assertEqual(span["span_id"], inner.hex[16:])
        self.assertRegex(span["started_at"], r"^\d{4}-.*Z$")
        self.assertGreaterEqual(span["duration_ms"], 0)
        (end,) = self.arrived("complete")
        self.assertEqual((end["status"], end["error"]), ("error", "TimeoutError: card 4"))
        return span

    def test_a_model_that_fails_is_a_failed_call(self):
        span = self.failed("llm", ["one", "two"], capture_content=True)
        self.assertEqual((span["name"], span["kind"]), ("call llm", "reasoning"))
        self.assertEqual(span["input_data"], {"prompt_preview": "one\ntwo"})
        self.assertEqual(span["attributes"], {"model": "llm", "error": "TimeoutError: card 4"})

    def test_the_prompt_of_a_chat_model_is_sent_only_with_content_capture(self):
        message = types.SimpleNamespace(type="human", content="secret")
        handler = handler_class()(observer=self.observer)
        handler.on_chat_model_start({"name": "m"}, [[message]], run_id=self.ids[0])
        handler.on_llm_error(TimeoutError("late"), run_id=self.ids[0])
        (span,) = [span for body in self.arrived("spans") for span in body["spans"]]
        self.assertEqual(span["name"], "call m")
        self.assertNotIn("secret", str([seen.body for seen in self.plane.seen]))

    def test_a_tool_that_fails(self):
        span = self.failed("tool", "Rome", capture_content=True)
        self.assertEqual((span["name"], span["kind"]), ("tool", "tool"))
        self.assertEqual(span["input_data"], {"value": "Rome"})
        self.assertEqual(span["attributes"], {"error": "TimeoutError: card 4"})

    def test_a_retriever_that_fails(self):
        span = self.failed("retriever", "Rome", capture_content=True)
        self.assertEqual((span["name"], span["kind"]), ("retriever", "retriever"))
        self.assertEqual(span["attributes"], {"query": "Rome"})

    def test_a_query_is_sent_only_with_content_capture(self):
        self.failed("retriever", "secret")
        handler = handler_class()(observer=self.observer)
        handler.on_retriever_start({"name": "docs"}, "secret", run_id=self.ids[0])
        handler.on_retriever_end([{"page_content": "secret"}], run_id=self.ids[0])
        self.assertEqual(len(self.arrived("spans")), 2)
        self.assertNotIn("secret", str([seen.body for seen in self.plane.seen]))

    def test_a_tool_outside_a_chain_fails_its_run(self):
        handler = handler_class()(observer=self.observer)
        handler.on_tool_start({"name": "look_up"}, "Rome", run_id=self.ids[0])
        handler.on_tool_error(TimeoutError("late"), run_id=self.ids[0])
        (end,) = self.arrived("complete")
        self.assertEqual((end["status"], end["error"]), ("error", "TimeoutError: late"))


if __name__ == "__main__":
    unittest.main()
