"""The decorator, contexts, policies, prompts, masking and sampling."""

import asyncio
import concurrent.futures
import unittest

from svc_observe import (
    Observer,
    PolicyViolationError,
    PromptError,
    in_context,
    observe,
)

from .observer_case import ObserverCase


class Spans(ObserverCase):
    def test_records_in_a_span_are_its_children_also_after_an_await(self):
        observer = self.observer

        async def side(name):
            with observer.span(name, kind="decision", input={"name": name}):
                await asyncio.sleep(0)
                observer.record_tool(f"{name} tool", started_at="2026-03-01T10:00:00Z")
                observer.start_run(f"{name} child").complete()

        async def plan():
            with observer.span("plan") as span:
                observer.record_call(model="first", tokens_in=1, duration_ms=50)
                await asyncio.gather(side("left"), side("right"))
                observer.record_step("planned")
                return span.id

        with observer.start_run("a") as run:
            plan_id = asyncio.run(plan())
            run.record_step("outside")
        spans = {span["name"]: span for spans in self.arrived("spans") for span in spans["spans"]}
        steps = {s["step_name"]: s for steps in self.arrived("steps") for s in steps["steps"]}
        (call,) = [call for calls in self.arrived("llm-calls") for call in calls["calls"]]
        starts = {start["agent_name"]: start for start in self.arrived("start")}
        self.assertEqual(spans["plan"]["span_id"], plan_id)
        self.assertNotIn("parent_span_id", spans["plan"])
        self.assertNotIn("parent_span_id", steps["outside"])
        for below in (call, spans["left"], spans["right"], steps["planned"]):
            self.assertEqual(below["parent_span_id"], plan_id)
        for name in ("left", "right"):
            span_id = spans[name]["span_id"]
            self.assertEqual(spans[f"{name} tool"]["parent_span_id"], span_id)
            self.assertEqual(spans[f"{name} tool"]["started_at"], "2026-03-01T10:00:00.000Z")
            self.assertEqual(starts[f"{name} child"]["parent_span_id"], span_id)
        self.assertEqual(spans["left"]["input_data"], {"name": "left"})
        self.assertLess(call["started_at"], call["created_at"])
        self.assertLess(spans["plan"]["position"], spans["left"]["position"])

    def test_a_span_reraises_and_records_how_its_block_ended(self):
        with self.observer.start_run("a") as run:
            with self.assertRaises(ValueError):
                with run.span("fails", attributes={"own": 1}):
                    raise ValueError("no stock")
            with run.span("set") as span:
                span.set(attributes={"more": 1}, output=[1], status="error")
        fails, ended = self.arrived("spans")[0]["spans"]
        self.assertEqual(fails["status"], "error")
        self.assertEqual(fails["attributes"], {"own": 1, "error": "ValueError: no stock"})
        self.assertEqual((ended["status"], ended["output_data"]), ("error", {"value": [1]}))
        self.assertEqual(ended["attributes"], {"more": 1})

    def test_a_span_outside_any_run_starts_a_run(self):
        with self.observer.span("alone") as span:
            self.observer.record_step("inside")
        self.assertIsNone(self.observer.current_run())
        (step,) = self.arrived("steps")[0]["steps"]
        self.assertEqual(step["parent_span_id"], span.id)
        self.assertEqual(len(self.arrived("start")), 1)
        self.assertEqual(self.arrived("complete")[0]["status"], "success")


class Functions(ObserverCase):
    def observed(self, fn, **options):
        return observe(observer=self.observer, **options)(fn)

    def test_a_decorated_function_is_a_run_and_keeps_its_metadata(self):
        def add(a, b=1):
            """Adds."""
            self.observer.record_step("inside")
            return a + b

        wrapped = self.observed(add, agent_name="sum")
        self.assertEqual(wrapped(2, b=3), 5)
        self.assertEqual(wrapped.__doc__, "Adds.")
        self.assertEqual(self.arrived("start")[0]["agent_name"], "sum")
        self.assertEqual(len(self.arrived("steps")), 1)
        self.assertEqual(self.arrived("complete")[0]["status"], "success")

    def test_an_error_is_recorded_and_reraised(self):
        def fail():
            raise ValueError("no stock")

        with self.assertRaises(ValueError):
            self.observed(fail)()
        completion = self.arrived("complete")[0]
        self.assertEqual(
            (completion["status"], completion["error"]), ("error", "ValueError: no stock")
        )

    def test_content_is_sent_only_with_content_capture(self):
        for capture, expected in ((False, None), (True, {"arguments": ["q"]})):
            self.observer = self.make(capture_content=capture)
            self.plane.taken.clear()
            self.assertEqual(self.observed(lambda text: text.upper())("q"), "Q")
            self.assertEqual(self.arrived("start")[0].get("inputs"), expected)
            result = self.arrived("complete")[0].get("result")
            self.assertEqual(result, {"value": "Q"} if capture else None)

    def test_coroutines_have_separate_runs(self):
        async def turn(n):
            await asyncio.sleep(0)
            self.observer.record_call(model=f"m{n}", tokens_in=n)
            await asyncio.sleep(0)
            return n

        wrapped = self.observed(turn, per_call=lambda n: {"user_id": f"u{n}"})

        async def main():
            return await asyncio.gather(*(wrapped(n) for n in range(10)))

        self.assertEqual(asyncio.run(main()), list(range(10)))
        users = {}
        self.arrived("complete")
        run_of = {}
        for seen in self.plane.taken:
            if seen.endpoint == "llm-calls":
                run_of[seen.path.split("/")[-3]] = seen.body["calls"][0]["model"]
        for number, start in enumerate(self.arrived("start"), 1):
            users[str(number)] = start["user_id"]
        self.assertEqual(
            {user[1:] for user in users.values()}, {model[1:] for model in run_of.values()}
        )
        self.assertTrue(all(users[run][1:] == model[1:] for run, model in run_of.items()))

    def test_generators_are_runs_until_their_end(self):
        def count(n):
            for item in range(n):
                self.observer.record_step(str(item))
                yield item
            return "end"

        async def count_async(n):
            for item in count(n):
                yield item

        items = self.observed(count)(3)
        self.assertEqual(next(items), 0)
        self.assertIsNone(self.observer.current_run())
        self.assertEqual(list(items), [1, 2])

        async def main():
            return [item async for item in self.observed(count_async)(2)]

        self.assertEqual(asyncio.run(main()), [0, 1])
        broken = self.observed(count)(3)
        next(broken)
        broken.close()
        self.assertEqual(len(self.arrived("complete")), 3)
        self.assertEqual({one["status"] for one in self.arrived("complete")}, {"success"})

    def test_threads_of_an_executor_join_the_run(self):
        def work():
            with concurrent.futures.ThreadPoolExecutor() as pool:
                step = in_context(lambda name: self.observer.record_step(name))
                list(pool.map(step, ["a", "b", "c"]))

        self.observed(work, agent_name="w")()
        self.assertEqual(len(self.arrived("start")), 1)
        steps = [step for body in self.arrived("steps") for step in body["steps"]]
        self.assertEqual(sorted(step["step_name"] for step in steps), ["a", "b", "c"])

    def test_the_server_may_request_a_retry(self):
        responses = iter([True, False])

        def behave(request):
            if request.endpoint != "complete":
                return None
            again = next(responses)
            feedback = {"should_retry": again, "retry_feedback": "be brief", "max_retries": 3}
            return 200, {"status": "ok", "governance_action": "retry", **feedback}

        self.plane.behave = behave
        asked = []

        def answer(question):
            asked.append(question)
            return question

        wrapped = self.observed(
            answer, retry_with=lambda feedback, question: [f"{question} ({feedback})"]
        )
        self.assertEqual(wrapped("why"), "why (be brief)")
        self.assertEqual(asked, ["why", "why (be brief)"])
        self.assertEqual(self.arrived("start")[1]["metadata"], {"retry_attempt": 1})


class Policies(ObserverCase):
    def answer(self, action, reason="because"):
        def behave(request):
            if request.endpoint != "policy-check":
                return None
            return 200, {"action": action, "reason": reason, "metadata": {"limit": 1}}

        self.plane.behave = behave

    def test_block_raises_skip_skips_and_warn_continues(self):
        calls = []
        guarded = observe(observer=self.observer, enforce_policy=True)(lambda: calls.append(1))
        self.answer("block")
        with self.assertRaises(PolicyViolationError) as caught:
            guarded()
        self.assertEqual((str(caught.exception), caught.exception.action), ("because", "block"))
        self.answer("skip")
        self.assertIsNone(guarded())
        self.assertEqual(calls, [])
        self.answer("warn")
        guarded()
        self.assertEqual(calls, [1])

    def test_policies_apply_to_coroutines(self):
        async def work():
            return "done"

        guarded = observe(observer=self.observer, enforce_policy=True)(work)
        self.answer("throttle")
        with self.assertRaises(PolicyViolationError):
            asyncio.run(guarded())
        self.answer("allow")
        self.assertEqual(asyncio.run(guarded()), "done")

    def test_without_a_response_every_check_passes_and_states_why(self):
        self.plane.go_away()
        result = self.observer.check_policy("a")
        self.assertTrue(result.allowed)
        self.assertIn("not checked", result.reason)
        # No check waits for the server for five seconds.
        before = len(self.plane.seen)
        self.plane.come_back()
        self.assertTrue(self.observer.check_policy("a").allowed)
        self.assertEqual(len(self.plane.seen), before)

    def test_an_exhausted_quota_throttles(self):
        self.plane.behave = lambda request: (429, {"error": "quota"}, {"retry-after": "2"})
        result = self.observer.check_policy("a", inputs={"x": 1}, tools=["t"])
        self.assertEqual((result.action, result.reason), ("throttle", "quota"))
        self.assertEqual(result.metadata, {"retry_after_ms": 2000})
        self.assertEqual(self.plane.seen[0].body["tools"], ["t"])


class Prompts(ObserverCase):
    body = {
        "name": "greeting",
        "version": 2,
        "content": "Hello {{ name }}",
        "config": {"t": 1},
        "labels": ["production"],
        "content_hash": "a" * 64,
    }

    def test_a_prompt_is_cached_while_the_server_is_unavailable(self):
        self.plane.behave = lambda request: (200, self.body)
        prompt = self.observer.get_prompt("greeting", label="production")
        self.assertEqual(prompt.compile(name="Ann"), "Hello Ann")
        self.observer.get_prompt("greeting", label="production")
        self.assertEqual(len(self.plane.seen), 1)
        self.assertTrue(self.plane.seen[0].path.endswith("/prompts/greeting/?label=production"))

    def test_a_missing_prompt_raises_or_falls_back(self):
        headers = {"x-error-reason": "not_found"}
        self.plane.behave = lambda request: (404, {"error": "no such prompt"}, headers)
        with self.assertRaises(PromptError) as caught:
            self.observer.get_prompt("odd name/x")
        self.assertEqual(caught.exception.status, 404)
        self.assertEqual(caught.exception.reason, "not_found")
        self.assertTrue(self.plane.seen[0].path.endswith("/prompts/odd%20name%2Fx/"))
        prompt = self.observer.get_prompt("odd", fallback="Hi {{ you }}")
        self.assertEqual((prompt.version, prompt.missing_variables()), (0, ["you"]))


class Settings(ObserverCase):
    def test_masking_applies_to_content_and_not_to_names(self):
        self.observer = self.make(capture_content=True, mask=lambda text: text.replace("4", "#"))
        run = self.observer.start_run("agent4", inputs={"q": "call 444"}, user_id="u4")
        run.record_call(model="gpt-4o", tokens_in=4, prompt_preview="n 4", response_preview="4")
        run.record_tool("t4", input={"deep": ["4", {"x": "a4"}]})
        run.fail(ValueError("4 left"))
        start = self.arrived("start")[0]
        self.assertEqual((start["agent_name"], start["user_id"]), ("agent4", "u4"))
        self.assertEqual(start["inputs"], {"q": "call ###"})
        call = self.arrived("llm-calls")[0]["calls"][0]
        self.assertEqual((call["model"], call["prompt_preview"]), ("gpt-4o", "n #"))
        span = self.arrived("spans")[0]["spans"][0]
        self.assertEqual(span["input_data"], {"deep": ["#", {"x": "a#"}]})
        self.assertEqual(self.arrived("complete")[0]["error"], "ValueError: # left")

    def test_a_record_whose_mask_fails_is_not_sent(self):
        def mask(_text):
            raise RuntimeError("no")

        self.observer = self.make(capture_content=True, mask=mask)
        run = self.observer.start_run("a", inputs={"secret": "x"})
        run.record_call(model="m", tokens_in=1, prompt_preview="secret")
        run.complete({"secret": "y"})
        self.arrived("complete")
        self.assertNotIn("secret", str([seen.body for seen in self.plane.seen]))
        self.assertEqual({problem.code for problem in self.problems}, {"invalid"})

    def test_sampled_runs_are_complete(self):
        self.observer = self.make(sample_rate=0)
        with self.observer.start_run("a") as run:
            self.observer.start_run("child").complete()
            run.record_step("s")
        self.assertTrue(self.observer.flush())
        self.assertEqual(self.plane.seen, [])

    def test_traceparent_is_read_and_sent(self):
        header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        run = self.observer.start_run("a", traceparent=header)
        self.assertEqual(run.trace_id, "0af7651916cd43dd8448eb211c80319c")
        self.assertRegex(run.traceparent, "^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$")
        self.assertEqual(self.arrived("start")[0]["trace_id"], run.trace_id)
        self.assertEqual(self.arrived("start")[0]["parent_span_id"], "b7ad6b7169203331")
        with run.span("s") as span:
            here = f"00-{run.trace_id}-{span.id}-01"
            self.assertEqual([span.traceparent, run.traceparent], [here, here])
        odd = self.observer.start_run("b", traceparent="nonsense")
        self.assertRegex(odd.trace_id, "^[0-9a-f]{32}$")
        self.assertEqual(self.observer.start_run("c", trace_id="ticket-7").traceparent, "")

    def test_disabled_nothing_is_sent_and_every_call_works(self):
        observer = Observer({"SVC_OBSERVE": "false"}, api_key="k", base_url=self.plane.url)
        with observer.start_run("a") as run:
            run.record_call(model="m", tokens_in=1)
        self.assertTrue(observer.check_policy("a").allowed)
        self.assertEqual(observer.get_prompt("p", fallback="x").content, "x")
        self.assertEqual((run.id, run.ready(), run.outcome()), ("", "", None))
        self.assertTrue(observer.shutdown())
        self.assertEqual(self.plane.seen, [])

    def test_a_missing_setting_is_reported_once_in_one_line(self):
        problems = []
        for options, word in (
            ({}, "SVC_API_KEY"),
            ({"api_key": "k"}, "SVC_API_URL"),
            ({"api_key": "k", "base_url": "ftp://x"}, "http"),
            ({"api_key": "k\n", "base_url": "x"}, "http"),
        ):
            Observer({}, on_error=problems.append, **options)
            self.assertIn(word, str(problems[-1]))
            self.assertEqual(problems[-1].code, "unconfigured")

    def test_unreadable_values_do_not_prevent_recording(self):
        class Odd:
            @property
            def __dict__(self):
                raise RuntimeError("no")

        circle = []
        circle.append(circle)
        run = self.observer.start_run("a")
        run.record_step("s", {"odd": Odd(), "circle": circle, "big": 2**70, "bytes": b"xx"})
        output = self.arrived("steps")[0]["steps"][0]["output"]
        self.assertEqual(
            output,
            {
                "odd": "[unreadable]",
                "circle": ["[circular]"],
                "big": str(2**70),
                "bytes": "[2 bytes]",
            },
        )


if __name__ == "__main__":
    unittest.main()
