import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallList, listCalls } from '#control-plane/llm-calls/queries.ts';
import { openQueryPlans, type QueryPlans } from '../support/query-plans.ts';

let explained: QueryPlans;
beforeAll(async () => {
  explained = await openQueryPlans();
});
afterAll(() => explained.close());

/** Returns how SQLite reads what a list needs, one line per table. */
async function plansOf(list: Partial<CallList>): Promise<string[]> {
  const { storage, db: reader } = explained;
  // The offset makes the list read a page.
  const page = { sort: { by: 'created_at', direction: 'desc' }, limit: 25, offset: -1 } as const;
  const plans = await explained.plansOf(() =>
    listCalls({ ...storage, reader }, 'tnt_1', { ...page, ...list }),
  );
  return plans.filter((line) => /llm_calls|model_/.test(line));
}

const whole = { min_cost: 0.5, max_tokens: 10, agent: 'a', model: ['m'], start: 1, end: 2 };

test.each([
  ...(['created_at', 'cost', 'total_tokens', 'duration_ms', 'model'] as const).map((by) => ({
    ...whole,
    sort: { by, direction: 'asc' } as const,
  })),
  { min_cost: 0.5 },
  { min_duration_ms: 1, max_duration_ms: 2 },
])('%j reads only the index', async (list) => {
  const plans = await plansOf(list);
  expect(plans).toHaveLength(2);
  for (const plan of plans)
    expect(plan).toMatch(/^SEARCH llm_calls USING COVERING INDEX llm_calls_by_time/);
});

test('the calls of prompts are read only from a separate index', async () => {
  const plans = await plansOf({ prompts: ['h'], agent: 'a', min_cost: 0.5, start: 1 });
  expect(plans).toHaveLength(2);
  for (const plan of plans)
    expect(plan).toMatch(/^SEARCH llm_calls USING COVERING INDEX llm_calls_by_prompt/);
});

test.each([{}, { agent: 'a' }, { model: ['m', 'n'] }])(
  '%j reads totals and a page',
  async (list) => {
    const [totals, page] = await plansOf(list);
    expect(totals).toMatch(/^SEARCH model_totals USING/);
    expect(page).toMatch(/^SEARCH llm_calls USING COVERING INDEX llm_calls_by_time/);
  },
);

test('a time range reads whole hours from their totals', async () => {
  const [hours, left, right] = await plansOf({ start: 1, end: 9_000_000 });
  expect(hours).toMatch(/^SEARCH model_hours USING .*hour>\? AND hour<\?/);
  for (const edge of [left, right])
    expect(edge).toMatch(
      /^SEARCH llm_calls USING COVERING INDEX .*created_at>\? AND created_at<\?/,
    );
});

test('a search looks words up in the blocks of segments', async () => {
  const { storage, db: reader } = explained;
  const phrases = [{ words: ['x'], prefix: true }];
  const sort = { by: 'created_at', direction: 'desc' } as const;
  const plans = await explained.plansOf(() =>
    listCalls({ ...storage, reader }, 'tnt_1', { phrases, sort, limit: 25, offset: 0 }),
  );
  expect(plans.filter((line) => line.includes('llm_calls'))).toEqual([]);
  const blocks = plans.filter((line) => line.includes('search_blocks_by_word'));
  expect(blocks).toHaveLength(2);
  for (const plan of blocks)
    expect(plan).toMatch(/^SEARCH .*\(tenant_id=\? AND segment_id=\? AND first_word[<>]\?/);
});
