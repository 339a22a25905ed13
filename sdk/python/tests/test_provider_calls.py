"""Calls of clients of providers: which of them are calls, and which are failures."""

import asyncio
import gc
import types
import unittest

from svc_observe import wrap_anthropic, wrap_openai

from .observer_case import ObserverCase

CHUNK = {"id": "c1", "model": "m-1", "choices": [{"delta": {"content": "half an "}}]}
USAGE = {"id": "c1", "model": "m-1", "choices": [], "usage": {"completion_tokens": 5}}
BODY = {"model": "m", "messages": [{"role": "user", "content": "card 4"}]}
PROMPT = '[{"role":"user","content":"card 4"}]'


class BadRequestError(Exception):
    pass


class Overload(Exception):
    pass


def stream_of(*items):
    """A stream of a client; an exception among the items breaks it."""

    def events():
        for item in items:
            if isinstance(item, Exception):
                raise item
            yield item

    return types.SimpleNamespace(_iterator=events())


def async_stream_of(*items):
    async def events():
        for item in stream_of(*items)._iterator:
            await asyncio.sleep(0)
            yield item

    return types.SimpleNamespace(_iterator=events())


def collect_garbage():
    for _ in range(3):  # PyPy takes several rounds for objects that refer to each other.
        gc.collect()


class Closable:
    """An HTTP response."""

    closed = False

    def close(self):
        self.closed = True


class EventStream:
    def __init__(self, response, events):
        self.response = response
        self._iterator = self._closing(events)

    def _closing(self, events):
        try:
            yield from events
        finally:
            self.response.close()

    def __iter__(self):
        yield from self._iterator


class RawResponse:
    """The response of `with_raw_response`, whose stream the program parses."""

    def __init__(self, *items):
        self.http_response = Closable()
        self._events = stream_of(*items)._iterator
        self._parsed = None

    def parse(self):
        self._parsed = self._parsed or self._parse()
        return self._parsed

    def _parse(self):
        return EventStream(self.http_response, self._events)


class ProviderCalls(ObserverCase):
    def client(self, post, **options):
        """A wrapped client whose requests are answered by `post`."""
        completions = types.SimpleNamespace(_post=post)
        client = types.SimpleNamespace(chat=types.SimpleNamespace(completions=completions))
        wrap_openai(client, observer=self.observer, **options)
        return lambda **more: completions._post("/chat/completions", body={**BODY, **more})

    def rejected(self, error, **options):
        def post(path, body):
            raise error

        return self.client(post, **options)

    def returning(self, result, **options):
        return self.client(lambda path, body: result, **options)

    def recorded(self):
        """Returns the calls and the spans that have arrived."""
        self.assertTrue(self.observer.flush(30))
        return self.plane.items("calls"), self.plane.items("spans")

    def assert_failed(self, *errors):
        calls, spans = self.recorded()
        self.assertEqual(calls, [])
        self.assertEqual(sorted(span["attributes"]["error"] for span in spans), sorted(errors))
        self.assertEqual({span["status"] for span in spans}, {"error"})


class FailedCalls(ProviderCalls):
    def test_a_rejected_call_is_a_span_and_its_exception_is_passed_on(self):
        error = BadRequestError("400 bad tools")
        call = self.rejected(error, task="sort", provider="mine")
        with self.observer.start_run("a") as run:
            with run.span("plan") as span:
                with self.assertRaises(BadRequestError) as caught:
                    call()
        self.assertIs(caught.exception, error)
        self.assertIsNone(error.__context__)
        calls, spans = self.recorded()
        self.assertEqual(calls, [])
        failed, plan = sorted(spans, key=lambda one: one["name"], reverse=True)
        self.assertEqual(plan["status"], "ok")
        self.assertRegex(failed.pop("started_at"), r"^\d{4}-.*Z$")
        self.assertGreaterEqual(failed.pop("duration_ms"), 0)
        self.assertEqual(
            failed,
            {
                "name": "sort m",
                "kind": "reasoning",
                "status": "error",
                "parent_span_id": span.id,
                "position": plan["position"] + 1,
                "attributes": {
                    "model": "m",
                    "provider": "mine",
                    "error": "BadRequestError: 400 bad tools",
                },
            },
        )

    def test_the_prompt_is_sent_masked_and_only_with_content_capture(self):
        self.observer = self.make(capture_content=True, mask=lambda text: text.replace("4", "#"))
        with self.assertRaises(BadRequestError):
            self.rejected(BadRequestError("card 4"))()
        _, (span,) = self.recorded()
        self.assertEqual(span["input_data"], {"prompt_preview": PROMPT.replace("4", "#")})
        self.assertEqual(span["attributes"]["error"], "BadRequestError: card #")

    def test_an_asynchronous_call_that_is_rejected_or_cancelled(self):
        async def reject(path, body):
            await asyncio.sleep(0)
            raise BadRequestError("400")

        async def wait(path, body):
            await asyncio.Event().wait()

        async def cancel(call):
            task = asyncio.ensure_future(call())
            await asyncio.sleep(0)
            task.cancel()
            await task

        with self.assertRaises(BadRequestError):
            asyncio.run(self.client(reject)())
        with self.assertRaises(asyncio.CancelledError):
            asyncio.run(cancel(self.client(wait)))
        self.assert_failed("BadRequestError: 400", "CancelledError: ")

    def test_an_asynchronous_call_that_is_closed_is_not_a_failure(self):
        async def wait(path, body):
            await asyncio.sleep(0)

        call = self.client(wait)()
        call.send(None)
        call.close()
        self.assertEqual(self.recorded(), ([], []))

    def test_anthropic(self):
        def post(path, body):
            raise Overload("529")

        messages = types.SimpleNamespace(_post=post)
        wrap_anthropic(types.SimpleNamespace(messages=messages), observer=self.observer)
        with self.assertRaises(Overload):
            messages._post("/v1/messages", body=BODY)
        self.assert_failed("Overload: 529")

    def test_counting_tokens_is_not_a_call(self):
        messages = types.SimpleNamespace(_post=lambda path, body: {"input_tokens": 3})
        wrap_anthropic(types.SimpleNamespace(messages=messages), observer=self.observer)
        messages._post("/v1/messages/count_tokens", body=BODY)
        messages._post("/v1/messages?beta=true", body=BODY)
        calls, spans = self.recorded()
        self.assertEqual((len(calls), spans), (1, []))

    def test_a_raw_response_that_cannot_be_parsed_is_returned(self):
        def parse():
            raise ValueError("not JSON")

        raw = types.SimpleNamespace(http_response=object(), parse=parse)
        self.assertIs(self.returning(raw)(), raw)
        self.assert_failed("ValueError: not JSON")


class Streams(ProviderCalls):
    def test_a_stream_that_fails_before_its_first_event_is_a_failed_call(self):
        error = Overload("529")
        with self.assertRaises(Overload) as caught:
            list(self.returning(stream_of(error))()._iterator)
        self.assertIs(caught.exception, error)
        self.assert_failed("Overload: 529")

    def test_a_failed_call_belongs_to_the_span_in_which_it_was_made(self):
        with self.observer.start_run("a") as run, run.span("plan") as span:
            stream = self.returning(stream_of(Overload("529")))()
        with self.assertRaises(Overload):
            list(stream._iterator)
        _, spans = self.recorded()
        (failed,) = [one for one in spans if one["status"] == "error"]
        self.assertEqual(failed["parent_span_id"], span.id)
        self.assertEqual(len(self.arrived("start")), 1)

    def test_an_asynchronous_stream_that_fails_before_its_first_event_is_a_failed_call(self):
        async def read():
            async for _ in self.returning(async_stream_of(Overload("529")))()._iterator:
                pass

        with self.assertRaises(Overload):
            asyncio.run(read())
        self.assert_failed("Overload: 529")

    def test_a_stream_that_breaks_is_a_call_with_the_text_so_far(self):
        self.observer = self.make(capture_content=True)

        async def read():
            async for _ in self.returning(async_stream_of(CHUNK, Overload("529")))()._iterator:
                pass

        with self.assertRaises(Overload):
            list(self.returning(stream_of(CHUNK, Overload("529")))()._iterator)
        with self.assertRaises(Overload):
            asyncio.run(read())
        calls, spans = self.recorded()
        self.assertEqual(spans, [])
        self.assertEqual([call["response_preview"] for call in calls], ["half an ", "half an "])
        self.assertEqual({call["model"] for call in calls}, {"m-1"})

    def test_a_stream_without_events_is_a_call(self):
        self.assertEqual(list(self.returning(stream_of())()._iterator), [])
        (call,), spans = self.recorded()
        self.assertEqual((call["model"], call["tokens_out"], spans), ("m", 0, []))

    def test_a_stream_that_the_program_stops_reading_is_a_call(self):
        events = self.returning(stream_of(CHUNK, CHUNK))()._iterator
        next(events)
        events.close()
        (call,), spans = self.recorded()
        self.assertEqual((call["model"], spans), ("m-1", []))


class RawStreams(ProviderCalls):
    """The streams that a program parses from HTTP responses."""

    def raw(self, *items):
        return self.returning(RawResponse(*items))(stream=True)

    def assert_one_call(self, tokens_out, model="m-1"):
        (call,), spans = self.recorded()
        self.assertEqual((call["model"], call["tokens_out"], spans), (model, tokens_out, []))

    def test_the_call_is_recorded_when_the_parsed_stream_was_read(self):
        raw = self.raw(CHUNK, USAGE)
        stream = raw.parse()
        self.assertIs(raw.parse(), stream)
        self.assertEqual(self.recorded(), ([], []))
        self.assertEqual(list(stream), [CHUNK, USAGE])
        self.assert_one_call(5)

    def test_the_stream_of_a_dropped_response_is_read(self):
        self.assertEqual(len(list(self.raw(CHUNK, USAGE).parse())), 2)
        collect_garbage()
        self.assert_one_call(5)

    def test_a_response_that_is_never_parsed_is_a_call_without_tokens(self):
        raw = self.raw(CHUNK, USAGE)
        self.assertEqual(self.recorded(), ([], []))
        raw.http_response.close()
        self.assertTrue(raw.http_response.closed)
        self.assert_one_call(0, model="m")

    def test_a_response_that_is_dropped_is_a_call_without_tokens(self):
        self.raw(CHUNK, USAGE)
        collect_garbage()
        self.assert_one_call(0, model="m")

    def test_a_stream_that_is_dropped_unread_is_a_call_without_tokens(self):
        self.raw(CHUNK, USAGE).parse()
        collect_garbage()
        self.assert_one_call(0, model="m")

    def test_a_stream_that_is_closed_is_recorded_up_to_that_point(self):
        raw = self.raw(USAGE, CHUNK)
        events = iter(raw.parse())
        next(events)
        self.assertEqual(self.recorded(), ([], []))
        raw.http_response.close()
        self.assert_one_call(5)
        list(events)
        self.assert_one_call(5)

    def test_a_stream_that_fails_before_its_first_event_is_a_failed_call(self):
        # The client closes the response before it passes the exception on.
        raw = self.raw(Overload("529"))
        with self.assertRaises(Overload):
            list(raw.parse())
        self.assertTrue(raw.http_response.closed)
        self.assert_failed("Overload: 529")

    def test_an_asynchronous_client_parses_its_complete_response_later(self):
        async def parse():
            await asyncio.sleep(0)
            return {"model": "m-1", "usage": {"completion_tokens": 5}}

        raw = types.SimpleNamespace(http_response=object(), parse=parse)

        async def post(path, body):
            return raw

        self.assertIs(asyncio.run(self.client(post)()), raw)
        self.assert_one_call(5)

    def test_an_asynchronous_response_that_cannot_be_parsed_is_returned(self):
        async def parse():
            raise ValueError("not JSON")

        raw = types.SimpleNamespace(http_response=object(), parse=parse)

        async def post(path, body):
            return raw

        self.assertIs(asyncio.run(self.client(post)()), raw)
        self.assert_failed("ValueError: not JSON")


if __name__ == "__main__":
    unittest.main()
