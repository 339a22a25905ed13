import { describe, expect, test } from 'vitest';
import { tablePrice } from './prices.ts';
import { attribution, costOf, spanRow } from './rules.ts';

const run = { agent_name: 'a', workflow_name: 'default' };

test.each([
  [{}, { session_id: null, user_id: null, user_group: null }],
  [
    { session_id: 's', user_group: 'g' },
    { session_id: 's', user_id: null, user_group: 'g' },
  ],
  [
    { metadata: { session_id: 's', user_id: 7 } },
    { session_id: 's', user_id: '7', user_group: null },
  ],
  [
    { user_id: 'top', metadata: { user_id: 'inside' } },
    { session_id: null, user_id: 'top', user_group: null },
  ],
  [{ metadata: { session_id: { no: 1 } } }, { session_id: null, user_id: null, user_group: null }],
])('attribution of %j', (given, expected) => {
  expect(attribution({ ...run, ...given })).toEqual(expected);
});

describe('cost of a call', () => {
  const call = { model: 'gpt-4o', tokens_in: 1000, tokens_out: 500 };
  const priced = (model: string) => costOf({ ...call, model }, tablePrice);
  test.each([
    ['gpt-4o', { cost: 0.0075, cost_source: 'table' }],
    ['gpt-4o-2024-11-20', { cost: 0.0075, cost_source: 'table' }],
    ['our-own-model', { cost: 0, cost_source: 'unpriced' }],
    ['', { cost: 0, cost_source: 'unpriced' }],
  ])('of %j', (model, expected) => {
    const { cost, cost_source } = priced(model);
    expect({ cost: Number(cost.toFixed(8)), cost_source }).toEqual(expected);
  });
  test('a given cost stays, also when it is nothing', () => {
    expect(costOf({ ...call, cost: 0 }, tablePrice)).toEqual({ cost: 0, cost_source: 'given' });
  });
});

test('spans without a position keep their order', () => {
  const rows = [{ position: 5 }, {}].map((position, index) =>
    spanRow({ name: 's', kind: 'tool', status: 'ok', ...position }, index, 1),
  );
  expect(rows.map((row) => row.position)).toEqual([5, 1]);
});
