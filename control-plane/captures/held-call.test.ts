import { expect, test } from 'vitest';
import type { CallCheck } from '#contract/call-check.ts';
import { situationOfHeldCall } from './held-call.ts';

const inputsOf = (request: string | null, more: Partial<CallCheck> = {}): unknown =>
  situationOfHeldCall(
    {
      host: 'api.openai.com',
      path: '/v1/chat/completions',
      app_id: null,
      process: null,
      user: null,
      provider: null,
      model: null,
      request,
      request_truncated: false,
      prompt: null,
      redactions: {},
      ...more,
    },
    { agent: 'a', attribution: { hostname: 'h', user: 'u', user_group: null }, now: 0 },
  ).intent.inputs;

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['{"a":1,/**/"b":2}', '{"a":1,/**/"b":2}'],
  ['{}{"b":2}', '{}{"b":2}'],
  ["{'b':2}", "{'b':2}"],
])('of the request %s, everything is an input', (request, inputs) => {
  expect(inputsOf(request)).toEqual(inputs);
});

test('of a request that was cut, the inputs are its beginning and the last prompt', () => {
  const cut = { request_truncated: true, prompt: 'last' };
  expect(inputsOf('{"a":1,"b":"cu', cut)).toEqual(['last', { a: 1, b: 'cu' }]);
  expect(inputsOf(null, cut)).toBe('last');
});
