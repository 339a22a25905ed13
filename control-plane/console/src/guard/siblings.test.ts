import { expect, test } from 'vitest';
import { missingSiblings } from './siblings.ts';

test.each([
  [[], ['claude.ai'], []],
  [['api.anthropic.com'], ['claude.ai'], ['api.anthropic.com']],
  [['api.anthropic.com'], ['claude.ai', 'api.anthropic.com'], []],
  [['b.example', '*.c.example', 'd.example'], ['d.example'], ['b.example']],
])('related hosts %j, switched on %j: missing %j', (aliases, switchedOn, missing) => {
  expect(missingSiblings({ aliases }, switchedOn)).toEqual(missing);
});
