import { describe, expect, test } from 'vitest';
import { retryAfterSeconds, decideEnrollment, excessiveIntermediates } from './rules.ts';

describe('a device that requests enrollment', () => {
  const active = { status: 'active', identity_key: 'a' } as const;
  const pending = { status: 'pending', identity_key: null } as const;
  const revoked = { status: 'revoked', identity_key: 'a' } as const;
  // The columns are the existing state, the key, whether approval is required, and the decision.
  test.each([
    [undefined, 'a', false, 'issue'],
    [undefined, 'a', true, 'wait'],
    [pending, 'a', false, 'issue'],
    [pending, 'a', true, 'wait'],
    [active, 'a', true, 'issue'],
    [active, 'b', true, 'wait'],
    [active, 'b', false, 'issue'],
    [{ ...active, identity_key: null }, 'a', true, 'wait'],
    [revoked, 'a', false, 'refuse'],
    [revoked, 'a', true, 'refuse'],
  ] as const)(
    'existing %j, key %s, approval required %s: %s',
    (existing, key, required, decision) => {
      expect(decideEnrollment(existing, key, required)).toBe(decision);
    },
  );
});

test('an intermediate is excessive if it allows anything that is no longer allowed', () => {
  const intermediates = [
    { serial: '1', hosts: '["claude.ai"]' },
    { serial: '2', hosts: '["claude.ai","api.openai.com"]' },
  ];
  expect(excessiveIntermediates(intermediates, ['claude.ai', 'x.ai'])).toEqual(['2']);
  expect(excessiveIntermediates(intermediates, [])).toEqual(['1', '2']);
});

test('a pending device polls less often after ten minutes', () => {
  expect([0, 599_999, 600_000].map(retryAfterSeconds)).toEqual([60, 60, 600]);
});
