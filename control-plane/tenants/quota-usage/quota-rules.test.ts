import { expect, test } from 'vitest';
import type { Quotas } from '#contract/sub-tenants.ts';
import { dayOf } from '../../lib/calendar.ts';
import { findUsedUp, isCounted, NO_USAGE, refuseAt, type QuotaUsage } from './quota-rules.ts';

const none: Quotas = { max_agents: null, max_tokens_per_day: null, max_agent_runs_per_day: null };
const NOW = Date.UTC(2026, 0, 31, 23, 59, 58, 500);

test('a day ends at midnight UTC', () => {
  expect(dayOf(Date.UTC(2026, 1, 1)) - dayOf(Date.UTC(2026, 1, 1) - 1)).toBe(1);
});

test.each<[Partial<Quotas>, QuotaUsage, string | undefined]>([
  [{}, { run_count: 1e6, total_tokens: 1e9 }, undefined],
  [{ max_agent_runs_per_day: 10 }, { run_count: 9, total_tokens: 0 }, undefined],
  [
    { max_agent_runs_per_day: 10 },
    { run_count: 10, total_tokens: 0 },
    'max_agent_runs_per_day: 10/10',
  ],
  [{ max_agent_runs_per_day: 0 }, NO_USAGE, 'max_agent_runs_per_day: 0/0'],
  [{ max_tokens_per_day: 10 }, { run_count: 99, total_tokens: 9 }, undefined],
  [{ max_tokens_per_day: 10 }, { run_count: 0, total_tokens: 17 }, 'max_tokens_per_day: 17/10'],
])('with the quotas %j, the usage %j returns %j', (quotas, used, message) => {
  const lineage = [
    { id: 'st_1', ...none },
    { id: 'st_2', ...none, ...quotas },
  ];
  const refusal = findUsedUp(lineage, (id) => (id === 'st_2' ? used : NO_USAGE), NOW);
  expect(refusal?.message).toBe(message);
  expect(refusal?.details.retry_after).toBe(message && 2);
  expect(refusal?.status).toBe(message && 429);
});

test('the agent quota does not renew', () => {
  const refusal = refuseAt('max_agents', 3, { ...none, max_agents: 3 }, NOW);
  expect(refusal?.details).toEqual({ quota: 'max_agents', limit: 3, used: 3 });
});

test.each<[string | null, Partial<Quotas>, boolean]>([
  [null, {}, false],
  ['tnt_1', {}, true],
  [null, { max_agents: 0 }, true],
  [null, { max_tokens_per_day: 1 }, true],
  [null, { max_agent_runs_per_day: 1 }, true],
])(
  'whether a tenant with the parent %j and the quotas %j is counted: %j',
  (parent_id, quotas, counted) => {
    expect(isCounted({ parent_id, ...none, ...quotas })).toBe(counted);
  },
);
