import { expect, test } from 'vitest';
import { bodyOf, draftOf } from './tenant-draft.ts';

test('empty fields are null', () => {
  expect(bodyOf({ ...draftOf(), name: ' Acme ' })).toEqual({
    name: 'Acme',
    external_id: null,
    contact_email: null,
    quotas: { max_agents: null, max_tokens_per_day: null, max_agent_runs_per_day: null },
  });
});

test('a quota of zero is not empty', () => {
  const draft = draftOf();
  const { quotas } = bodyOf({ ...draft, quotas: { ...draft.quotas, max_agents: '0' } });
  expect(quotas.max_agents).toBe(0);
});
