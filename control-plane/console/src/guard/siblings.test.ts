import { expect, test } from 'vitest';
import { missingSiblings } from './siblings.ts';

test.each([
  [[], ['claude.ai'], []],
  [['api.anthropic.com'], ['claude.ai'], ['api.anthropic.com']],
  [['api.anthropic.com'], ['claude.ai', 'api.anthropic.com'], []],
  [['b.example', '*.c.example', 'd.example'], ['d.example'], ['b.example']],
])('of %j with %j switched on, %j are missing', (aliases, switchedOn, missing) => {
  expect(missingSiblings({ aliases }, switchedOn)).toEqual(missing);
});
