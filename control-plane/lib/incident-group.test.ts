import { expect, test } from 'vitest';
import { causeOf, incidentGroupId } from './incident-group.ts';

test.each([
  ['Concurrent limit reached (12/12)', 'Concurrent limit reached (#/#)'],
  ['Run took 1,200.5 s, limit 60 s', 'Run took # s, limit # s'],
  ["Tool 'shell' is blocked", "Tool 'shell' is blocked"],
  ['session 0b4f6a52-7d1c-4c1e-9a52-3d1f6f1c2b3a ended', 'session # ended'],
])('the cause of %s is %s', (reason, cause) => {
  expect(causeOf(reason)).toBe(cause);
});

test('incidents with another policy, agent, action or cause are in another group', () => {
  const one = { policy_id: 'p', agent_name: 'a', action: 'block', reason: 'limit 5' };
  const ids = [
    one,
    { ...one, policy_id: 'q' },
    { ...one, agent_name: 'b' },
    { ...one, action: 'warn' },
    { ...one, reason: 'other' },
  ].map(incidentGroupId);
  expect(new Set(ids).size).toBe(5);
  expect(incidentGroupId({ ...one, reason: 'limit 6' })).toBe(ids[0]);
});
