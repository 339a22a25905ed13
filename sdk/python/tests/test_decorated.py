"""A decorated function does what the function does."""

import asyncio
import functools
import gc
import inspect
import unittest

from svc_observe import observe

from .observer_case import ObserverCase


def resilient():
    """Answers whatever it gets, and survives what is thrown into it."""
    log = []
    while len(log) < 4:
        try:
            log.append((yield len(log)))
        except KeyError as error:
            log.append(error.args[0])
    return log


async def resilient_async():
    log = []
    while len(log) < 4:
        try:
            log.append((yield list(log)))
        except KeyError as error:
            log.append(error.args[0])


class Adder:
    def __init__(self, start):
        self.start = start

    def __call__(self, more):
        return self.start + more


class AsyncAdder(Adder):
    async def __call__(self, more):
        return self.start + more


class Later:
    """An awaitable of its own type, as HTTP clients return."""

    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return "later"

    async def __aenter__(self):
        return "entered"

    async def __aexit__(self, *_error):
        return None


class Decorated(ObserverCase):
    def observed(self, fn, **options):
        return observe(observer=self.observer, **options)(fn)

    def completions(self):
        return [(one["status"], one.get("error")) for one in self.arrived("complete")]

    def names(self):
        """The names of the runs, which are sent concurrently."""
        return sorted(start["agent_name"] for start in self.arrived("start"))

    # Generators

    def test_a_generator_gets_what_is_sent_and_thrown(self):
        def use(fn):
            items = fn()
            seen = [next(items), items.send("a"), items.throw(KeyError("b")), items.send("c")]
            with self.assertRaises(StopIteration) as end:
                items.throw(KeyError("d"))
            return seen, end.exception.value

        self.assertEqual(use(self.observed(resilient)), use(resilient))
        self.assertEqual(self.completions(), [("success", None)])

    def test_an_asynchronous_generator_gets_what_is_sent_and_thrown(self):
        async def use(fn):
            items = fn()
            seen = [
                await items.__anext__(),
                await items.asend("a"),
                await items.athrow(KeyError("b")),
                await items.asend("c"),
            ]
            with self.assertRaises(StopAsyncIteration):
                await items.athrow(KeyError("d"))
            return seen

        self.assertEqual(
            asyncio.run(use(self.observed(resilient_async))), asyncio.run(use(resilient_async))
        )
        self.assertEqual(self.completions(), [("success", None)])

    def test_an_error_that_a_generator_does_not_catch_is_that_of_its_run(self):
        items = self.observed(resilient)()
        next(items)
        with self.assertRaises(ValueError):
            items.throw(ValueError("no stock"))

        async def use():
            items = self.observed(resilient_async)()
            await items.__anext__()
            with self.assertRaises(ValueError):
                await items.athrow(ValueError("no stock"))

        asyncio.run(use())
        self.assertEqual(self.completions(), [("error", "ValueError: no stock")] * 2)

    def test_a_closed_generator_cleans_up_within_its_run(self):
        runs = []

        def reads():
            try:
                yield 1
            finally:
                runs.append(self.observer.current_run())

        async def reads_async():
            try:
                yield 1
            finally:
                await asyncio.sleep(0)
                runs.append(self.observer.current_run())

        items = self.observed(reads)()
        next(items)
        items.close()

        async def use():
            items = self.observed(reads_async)()
            await items.__anext__()
            await items.aclose()

        asyncio.run(use())
        self.assertEqual(len(runs), 2)
        self.assertNotIn(None, runs)
        self.assertEqual(self.completions(), [("success", None)] * 2)

    def test_a_generator_that_ignores_its_end_fails_as_without_the_decorator(self):
        def ignores():
            try:
                yield 1
            except GeneratorExit:
                yield 2

        items = self.observed(ignores)()
        next(items)
        with self.assertRaisesRegex(RuntimeError, "ignored GeneratorExit"):
            items.close()
        self.assertEqual(self.completions()[0][0], "error")

    # Anything that can be called

    def test_partial_functions_and_callable_objects_are_observed(self):
        self.assertEqual(self.observed(functools.partial(pow, 2))(3), 8)
        self.assertEqual(self.observed(Adder(1))(2), 3)
        asynchronous = self.observed(AsyncAdder(1))
        self.assertTrue(inspect.iscoroutinefunction(asynchronous))
        self.assertEqual(asyncio.run(asynchronous(2)), 3)
        self.assertEqual(self.names(), ["Adder", "AsyncAdder", "pow"])

    def test_methods_are_observed_below_and_above_their_decorators(self):
        observed = self.observed

        class Agent:
            name = "agent"

            @observed
            @classmethod
            def above_class(cls, word):
                return (cls.name, word)

            @classmethod
            @observed
            def below_class(cls, word):
                return (cls.name, word)

            @observed
            @staticmethod
            def above_static(word):
                return word

            @observed
            def plain(self, word):
                return (self.name, word)

        self.observer.settings = self.make(capture_content=True).settings
        self.assertEqual(Agent.above_class("a"), ("agent", "a"))
        self.assertEqual(Agent().below_class("b"), ("agent", "b"))
        self.assertEqual(Agent.above_static("c"), "c")
        self.assertEqual(Agent().plain("d"), ("agent", "d"))
        self.assertEqual(self.names(), ["above_class", "above_static", "below_class", "plain"])
        self.assertEqual(
            sorted(start["inputs"]["arguments"] for start in self.arrived("start")),
            [[word] for word in "abcd"],
        )

    def test_what_cannot_be_called_is_refused_when_it_is_decorated(self):
        with self.assertRaisesRegex(TypeError, "decorates functions, not a property"):
            self.observed(property(lambda self: 1))

    # Awaitables

    def test_an_awaitable_keeps_its_type_and_its_run_ends_with_it(self):
        async def work():
            await asyncio.sleep(0)
            self.observer.record_step("inside")
            return "done"

        async def use():
            task = self.observed(lambda: asyncio.ensure_future(work()), agent_name="task")()
            self.assertIsInstance(task, asyncio.Task)
            self.assertEqual(self.observer.stats().delivered, 0)
            coroutine = self.observed(lambda: work(), agent_name="coroutine")()
            self.assertTrue(inspect.iscoroutine(coroutine))
            later = self.observed(Later, agent_name="other")()
            self.assertIsInstance(later, Later)
            async with later as entered:
                return await task, await coroutine, await later, entered

        self.assertEqual(asyncio.run(use()), ("done", "done", "later", "entered"))
        self.assertEqual(self.completions(), [("success", None)] * 3)
        steps = [step for body in self.arrived("steps") for step in body["steps"]]
        self.assertEqual(len(steps), 2)

    def test_failed_and_cancelled_tasks_are_errors_which_asyncio_still_logs(self):
        async def fail():
            raise ValueError("no stock")

        async def use():
            unhandled = []
            asyncio.get_running_loop().set_exception_handler(
                lambda _loop, context: unhandled.append(context["message"])
            )
            start = self.observed(lambda work: asyncio.ensure_future(work))
            start(fail())
            cancelled = start(asyncio.sleep(60))
            await asyncio.sleep(0)
            cancelled.cancel()
            await asyncio.wait([cancelled])
            gc.collect()
            return unhandled

        self.assertEqual(asyncio.run(use()), ["Task exception was never retrieved"])
        self.assertEqual(
            sorted(self.completions()),
            [("error", "CancelledError: "), ("error", "ValueError: no stock")],
        )

    # Options

    def test_options_that_do_not_exist_are_refused_when_it_is_decorated(self):
        with self.assertRaisesRegex(TypeError, "no option user"):
            self.observed(len, user="u")

    def test_options_of_a_call_that_do_not_exist_are_reported(self):
        fn = self.observed(len, per_call=lambda _text: {"user": "u", "user_id": "u1"})
        self.assertEqual(fn("abc"), 3)
        self.assertEqual(self.arrived("start")[0]["user_id"], "u1")
        self.assertEqual(
            [str(problem) for problem in self.problems], ["per_call returned unknown options: user"]
        )

    def test_a_call_whose_options_are_no_mapping_is_reported(self):
        self.assertEqual(self.observed(len, per_call=lambda _text: 5)("abc"), 3)
        self.assertEqual({problem.code for problem in self.problems}, {"invalid"})


if __name__ == "__main__":
    unittest.main()
