import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_REPORT } from './calls/call-reports.ts';
import type { Node } from './nesting.ts';
import { nodesIn, spanListOf } from './span-list.ts';

const flag = fc.constantFrom(0, 1);
const report = fc.oneof(
  fc.constant(NO_REPORT),
  fc.record({
    call_key: fc.string(),
    scope: fc.string(),
    response_id: fc.option(fc.string()),
    ended_at: fc.nat(),
  }),
);
const place = fc.record({
  trace_id: fc.constant('t'),
  span_id: fc.string(),
  parent_span_id: fc.option(fc.string()),
  kind: fc.constantFrom('call' as const, 'boundary' as const, 'span' as const),
  has_text: flag,
  failed: flag,
  counted: flag,
  call_id: fc.nat(),
  position: fc.nat(),
});
const node: fc.Arbitrary<Node> = fc.tuple(place, report).map(([of, by]) => ({ ...of, ...by }));

test('a list contains the spans that it was created from', () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 1 }), (nodes) => {
      expect(nodesIn('t', spanListOf(nodes) ?? '[]')).toEqual(nodes);
    }),
  );
});

test('calls in a list of an earlier version are in no group of reports', () => {
  const list = JSON.stringify([['a', 'b', 'call', 1, 0, 1, 7, 1000]]);
  expect(nodesIn('t', list)).toMatchObject([{ span_id: 'a', call_id: 7, ...NO_REPORT }]);
});

test('there is no list if a span has no AI work, or if there are no spans', () => {
  fc.assert(
    fc.property(fc.array(node), fc.array(node), node, (before, after, one) => {
      expect(spanListOf([...before, { ...one, kind: 'plain' }, ...after])).toBe(null);
    }),
  );
  expect(spanListOf([])).toBe(null);
});
