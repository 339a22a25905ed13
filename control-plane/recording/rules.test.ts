import { describe, expect, test } from 'vitest';
import type { Priced } from '../costs/pricer.ts';
import { createMasker } from '../settings/masking/masker.ts';
import { contentHash } from '../prompts/content-hash.ts';
import { attributionOf, callRow, spanRow } from './rules.ts';

const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });

const run = { agent_name: 'a', workflow_name: 'default' };

test.each([
  [{}, { session_id: null, user_id: null, user_group: null, end_user_id: null }],
  [
    { session_id: 's', user_group: 'g' },
    { session_id: 's', user_id: null, user_group: 'g', end_user_id: null },
  ],
  [
    { metadata: { session_id: 's', user_id: 7 } },
    { session_id: 's', user_id: '7', user_group: null, end_user_id: null },
  ],
  [
    { user_id: 'top', metadata: { user_id: 'inside' } },
    { session_id: null, user_id: 'top', user_group: null, end_user_id: null },
  ],
  [
    { session_id: '', user_group: '', metadata: { session_id: 's', user_group: '' } },
    { session_id: 's', user_id: null, user_group: null, end_user_id: null },
  ],
  [
    { metadata: { session_id: { no: 1 } } },
    { session_id: null, user_id: null, user_group: null, end_user_id: null },
  ],
])('attribution of %j', (given, expected) => {
  expect(attributionOf({ ...run, ...given })).toEqual(expected);
});

describe('cost of a call', () => {
  const call = { model: 'gpt-4o', tokens_in: 1000, tokens_out: 500 };
  const price = (): Priced => ({ cost: 0.25, cost_source: 'file' });
  const row = (given: object) => callRow({ ...call, ...given }, 1, { price, masker });
  test.each([
    [{}, { cost: 0.25, cost_source: 'file' }],
    [{ cost: 7 }, { cost: 7, cost_source: 'given' }],
    [{ cost: 0 }, { cost: 0.25, cost_source: 'file' }],
    [
      { cost: 0, tokens_in: 0, tokens_out: 0 },
      { cost: 0, cost_source: 'given' },
    ],
  ])('with the fields %j', (given, expected) => {
    expect(row(given)).toMatchObject(expected);
  });
});

describe('prompt hash', () => {
  const row = (given: object, with_ = masker) =>
    callRow({ model: 'm', tokens_in: 1, tokens_out: 1, ...given }, 1, {
      price: () => ({ cost: 0, cost_source: 'unpriced' }),
      masker: with_,
    }).prompt_hash;
  const masking = createMasker({ enabled: true, builtin: ['EMAIL'], keys: [], patterns: [] });

  test('is computed from the stored text, unless sent', () => {
    const prompt_preview = 'write to ada@example.com';
    const sent = 'f'.repeat(64);
    expect([
      row({}),
      row({ prompt_preview }),
      row({ prompt_preview }, masking),
      row({ prompt_preview, prompt_hash: sent }, masking),
    ]).toEqual(['', contentHash(prompt_preview), contentHash('write to ##EMAIL##'), sent]);
  });
});

test('the arguments of requested tools are masked', () => {
  const masking = createMasker({ enabled: true, builtin: ['EMAIL'], keys: [], patterns: [] });
  const price = (): Priced => ({ cost: 0, cost_source: 'unpriced' });
  const tool_calls = [{ name: 'send', arguments: { to: 'ada@example.com' } }];
  const call = { model: 'm', tokens_in: 1, tokens_out: 1, tool_calls };
  expect(callRow(call, 1, { price, masker: masking }).tool_calls).toBe(
    '[{"id":null,"name":"send","arguments":{"to":"##EMAIL##"}}]',
  );
});

test('spans without a position sort first', () => {
  const rows = [{ position: 5 }, {}, { position: null }].map((position) =>
    spanRow({ name: 's', kind: 'tool', status: 'ok', ...position }, 1, masker),
  );
  expect(rows.map((row) => row.position)).toEqual([5, 0, 0]);
});
