import { expect, test } from 'vitest';
import { ResponseError } from '#contract/client.ts';
import { describeError } from './describe-error.ts';

test.each([
  [new ResponseError(401, 'wrong email or password'), 'Wrong email or password'],
  [new ResponseError(404, 'Run 7 does not exist'), 'Run 7 does not exist'],
  [new ResponseError(400, 'état: unknown'), 'État: unknown'],
  [new ResponseError(400, 'host_overrides: not host_a'), 'Host overrides: not host_a'],
  [new ResponseError(502, 'HTTP 502'), 'HTTP 502'],
  [new ResponseError(500, ''), ''],
  [new TypeError('fetch failed'), 'The control plane cannot be reached.'],
])('%s is described as %j', (error, text) => expect(describeError(error)).toBe(text));
