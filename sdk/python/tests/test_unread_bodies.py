"""Responses of `with_streaming_response` whose body is read by the program."""

import asyncio
import unittest

from .test_provider_calls import Closable, Overload, ProviderCalls, collect_garbage

ANSWER = {"model": "m-1", "usage": {"completion_tokens": 5}}


class Body(Closable):
    """An HTTP response whose body arrives when it is read, and then closes it."""

    def __init__(self, content):
        self._content = content
        self.reads = 0

    @property
    def is_closed(self):
        return self.closed

    def read(self):
        self.reads += 1
        self.close()
        if isinstance(self._content, Exception):
            raise self._content if self.reads == 1 else RuntimeError("already consumed")
        return self._content

    async def aread(self):
        await asyncio.sleep(0)
        return Body.read(self)


class Raw:
    def __init__(self, content):
        self.http_response = Body(content)

    def parse(self):
        return self.http_response.read()


class AsyncRaw(Raw):
    async def parse(self):
        return await self.http_response.aread()


class UnreadBodies(ProviderCalls):
    async def sent(self, content):
        async def post(path, body):
            return AsyncRaw(content)

        return await self.client(post)()

    def assert_one_call(self, tokens_out):
        (call,), spans = self.recorded()
        self.assertEqual((call["tokens_out"], spans), (tokens_out, []))

    def test_the_program_reads_the_body(self):
        raw = self.returning(Raw(ANSWER))()
        self.assertEqual((raw.http_response.reads, self.recorded()), (0, ([], [])))
        self.assertEqual(raw.parse(), ANSWER)
        self.assert_one_call(5)
        self.assertEqual(raw.parse(), ANSWER)
        self.assert_one_call(5)

    def test_the_program_reads_the_body_of_an_asynchronous_client(self):
        async def run():
            raw = await self.sent(ANSWER)
            self.assertEqual(raw.http_response.reads, 0)
            return [await raw.http_response.aread(), await raw.parse()]

        self.assertEqual(asyncio.run(run()), [ANSWER, ANSWER])
        self.assert_one_call(5)

    def test_an_error_while_the_body_is_read_is_passed_on_and_is_a_failed_call(self):
        error = Overload("529")
        with self.assertRaises(Overload) as caught:
            self.returning(Raw(error))().parse()
        self.assertIs(caught.exception, error)

        async def run():
            await (await self.sent(error)).parse()

        with self.assertRaises(Overload) as caught:
            asyncio.run(run())
        self.assertIs(caught.exception, error)
        self.assert_failed("Overload: 529", "Overload: 529")

    def test_an_unread_response_that_is_closed_or_dropped_is_a_call_without_tokens(self):
        self.returning(Raw(ANSWER))().http_response.close()
        self.assert_one_call(0)
        self.returning(Raw(ANSWER))()
        collect_garbage()
        self.assertEqual([call["tokens_out"] for call in self.recorded()[0]], [0, 0])


if __name__ == "__main__":
    unittest.main()
