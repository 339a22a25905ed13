import { expect, test } from 'vitest';
import { auditFilterOf } from './audit-filter.ts';

test.each([
  ['', '', {}],
  ['user', 'policy.*', { actor_type: 'user', action: 'policy.*' }],
  ['system', ' policy.update ', { actor_type: 'system', action: 'policy.update' }],
  ['robot', 'pol*icy', {}],
  ['', '*', { action: '*' }],
])('actor %j, action %j', (actor, action, filter) => {
  const params: Record<string, string> = { actor, action };
  expect(auditFilterOf({ get: (name) => params[name] ?? '' })).toEqual(filter);
});
