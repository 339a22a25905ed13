import { expect, test } from 'vitest';
import { auditFilterOf } from './audit-filter.ts';

test.each([
  ['', {}],
  ['actor=user&action=policy.*', { actor_type: 'user', action: 'policy.*' }],
  ['actor=system&action=%20policy.update%20', { actor_type: 'system', action: 'policy.update' }],
  ['actor=robot&action=pol*icy', {}],
  ['action=*', { action: '*' }],
  ['who=ada%20&object=%20Budget', { actor: 'ada', resource: 'Budget' }],
  ['sort=created_at', { sort: 'created_at' }],
  ['sort=-created_at', {}],
  ['sort=-action', { sort: '-action' }],
  ['sort=sequence', {}],
])('%j is the filter %j', (search, filter) => {
  const params = new URLSearchParams(search);
  expect(auditFilterOf({ get: (name) => params.get(name) ?? '' })).toEqual(filter);
});
