import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Quotas } from '#contract/sub-tenants.ts';
import { findConflict, effectiveQuotasOf, slugOf } from './rules.ts';

const none: Quotas = {
  max_agents: null,
  max_tokens_per_day: null,
  max_agent_runs_per_day: null,
};

test.each([
  ['Acme', 'acme'],
  ['  Acme, Inc. (EU) ', 'acme-inc-eu'],
  ['Müller & Söhne', 'muller-sohne'],
  ['Ærø', 'r'],
  ['日本', 'tenant'],
  ['---', 'tenant'],
  ['a'.repeat(60), 'a'.repeat(50)],
  [`${'a'.repeat(49)} b`, 'a'.repeat(49)],
])('the slug of %j is %j', (name, slug) => {
  expect(slugOf(name, new Set())).toBe(slug);
});

test('a slug is never an existing one, and always valid in URLs', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 8 }), (names) => {
      const existing = new Set<string>();
      for (const name of names) {
        const slug = slugOf(name, existing);
        expect(existing).not.toContain(slug);
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        existing.add(slug);
      }
    }),
  );
});

const quota = fc.option(fc.nat(20));
const quotas: fc.Arbitrary<Quotas> = fc.record({
  max_agents: quota,
  max_tokens_per_day: quota,
  max_agent_runs_per_day: quota,
});

test('the limits of a lineage are the minimum of each quota', () => {
  expect(effectiveQuotasOf([])).toEqual(none);
  fc.assert(
    fc.property(fc.array(quotas), (lineage) => {
      const limits = effectiveQuotasOf(lineage);
      for (const field of ['max_agents', 'max_tokens_per_day', 'max_agent_runs_per_day'] as const) {
        const set = lineage.flatMap((tenant) => tenant[field] ?? []);
        expect(limits[field]).toBe(set.length > 0 ? Math.min(...set) : null);
      }
    }),
  );
});

describe('a conflict names the largest sub-tenant quota, which is the smallest value that would fit', () => {
  const limits = { ...none, max_agents: 10, max_tokens_per_day: 1000 };
  const below = [
    { id: 'st_1', ...none, max_agents: 4 },
    { id: 'st_2', ...none, max_agents: 6, max_agent_runs_per_day: 9 },
  ];

  test.each<[Partial<Quotas>]>([
    [{}],
    [{ max_agents: 10 }],
    [{ max_agents: 6 }],
    [{ max_agents: null }],
    [{ max_agent_runs_per_day: 1e9 }],
    [{ max_agents: 7, max_tokens_per_day: 0, max_agent_runs_per_day: 9 }],
  ])('%j fits', (change) => {
    expect(findConflict(change, limits, below)).toBeUndefined();
  });

  test.each<[Partial<Quotas>, object]>([
    [{ max_agents: 11 }, { field: 'max_agents', requested: 11, parent_limit: 10 }],
    [
      { max_agents: 9, max_tokens_per_day: 1001 },
      { field: 'max_tokens_per_day', requested: 1001, parent_limit: 1000 },
    ],
    [
      { max_agents: 5 },
      {
        field: 'max_agents',
        requested: 5,
        sub_tenant_id: 'st_2',
        sub_tenant_quota: 6,
      },
    ],
    // The largest quota is named, because that value would fit.
    [
      { max_agents: 3 },
      { field: 'max_agents', requested: 3, sub_tenant_id: 'st_2', sub_tenant_quota: 6 },
    ],
    [
      { max_agent_runs_per_day: 0 },
      {
        field: 'max_agent_runs_per_day',
        requested: 0,
        sub_tenant_id: 'st_2',
        sub_tenant_quota: 9,
      },
    ],
  ])('%j does not fit', (change, conflict) => {
    expect(findConflict(change, limits, below)).toEqual(conflict);
  });
});
