import { expect, test } from 'vitest';
import { averageLatency, differenceOf } from './run-differences.ts';
import type { TraceItem } from './trace-tree.ts';

const dollars = (amount: number) => `$${amount}`;

test.each([
  [0.5, 0.75, '+$0.25 (+50%)'],
  [2, 1, '−$1 (−50%)'],
  [0, 3, '+$3'],
  [1, 2500, '+$2499 (2,500×)'],
  [3, 3, 'Same'],
  [-2, -1, '+$1 (+50%)'],
])('the difference from %j to %j is %s', (left, right, text) =>
  expect(differenceOf(left, right, dollars)).toBe(text),
);

test('the average latency includes only calls with a recorded latency', () => {
  const item = (kind: TraceItem['kind'], duration_ms: number | null) => ({
    item: { kind, duration_ms } as TraceItem,
  });
  const nodes = [
    item('llm_call', 100),
    item('llm_call', null),
    item('tool', 7),
    item('llm_call', 300),
  ];
  expect(averageLatency({ nodes: nodes as never })).toBe(200);
  expect(averageLatency({ nodes: undefined })).toBe(null);
});
