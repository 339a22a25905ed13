import { expect, test } from 'vitest';
import {
  detailsOf,
  tracePositionOf,
  withSameDetails,
  withSamePositions,
} from './trace-position.ts';

const NO_POSITION = { span_id: null, parent_span_id: null, started_at: null };
const call = { model: 'm', tokens_in: 1, tokens_out: 1 };

test('a record without a position has no columns for it', () => {
  expect([tracePositionOf({}), tracePositionOf({ span_id: '', parent_span_id: null })]).toEqual([
    {},
    {},
  ]);
  expect([detailsOf(call, null), detailsOf(call, [])]).toEqual([{}, {}]);
});

test('if one column is given, the others are present too', () => {
  expect(tracePositionOf({ parent_span_id: 'p' })).toEqual({ ...NO_POSITION, parent_span_id: 'p' });
  expect(detailsOf({ ...call, finish_reason: 'stop' }, [{ name: 'find' }])).toEqual({
    ...NO_POSITION,
    reasoning_tokens: null,
    time_to_first_token_ms: null,
    finish_reason: 'stop',
    tool_calls: '[{"id":null,"name":"find","arguments":null}]',
  });
});

test('rows of one statement have the same columns', () => {
  const bare: { name: string; span_id?: string | null } = { name: 'bare' };
  const placed = { name: 'placed', ...NO_POSITION, span_id: 's' };
  expect(withSamePositions([bare, bare])).toEqual([bare, bare]);
  expect(withSamePositions([bare, placed])).toEqual([{ ...bare, ...NO_POSITION }, placed]);
  const [first, second] = withSameDetails([
    bare,
    { ...bare, ...detailsOf({ ...call, span_id: 's' }, null) },
  ]);
  expect(Object.keys(first ?? {}).toSorted()).toEqual(Object.keys(second ?? {}).toSorted());
});
