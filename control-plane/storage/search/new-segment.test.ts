import { expect, test } from 'vitest';
import { type IndexedCall, newSegment } from './new-segment.ts';

const WORDS = 25_000;

const call = (id: number): IndexedCall => ({
  id,
  tenant_id: 't',
  created_at: id,
  total_tokens: 0,
  cost: 0,
  model: 'm',
  agent_name: 'a',
  task: null,
  prompt_preview: 'x '.repeat(WORDS),
  response_preview: 'y '.repeat(WORDS),
});

test('a segment takes no call that could exceed its number of words', () => {
  const segment = newSegment();
  const calls = Array.from({ length: 100 }, (_, i) => call(i + 1));
  const left = segment.addUntilFull(calls);
  expect(segment.isFull()).toBe(true);
  expect(segment.calls.length).toBe(Math.ceil((2 ** 21 - 200_000) / (2 * WORDS + 5)));
  expect(left.map(({ id }) => id)).toEqual(calls.slice(segment.calls.length).map(({ id }) => id));
});
