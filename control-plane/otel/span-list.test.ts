import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Node } from './nesting.ts';
import { nodesIn, spanListOf } from './span-list.ts';

const flag = fc.constantFrom(0, 1);
const node: fc.Arbitrary<Node> = fc.record({
  trace_id: fc.constant('t'),
  span_id: fc.string(),
  parent_span_id: fc.option(fc.string()),
  kind: fc.constantFrom('call', 'boundary', 'span'),
  has_text: flag,
  failed: flag,
  counted: flag,
  call_id: fc.nat(),
  position: fc.nat(),
});

test('a list contains the spans that it was created from', () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 1 }), (nodes) => {
      expect(nodesIn('t', spanListOf(nodes) ?? '[]')).toEqual(nodes);
    }),
  );
});

test('there is no list if a span has no AI work, or if there are no spans', () => {
  fc.assert(
    fc.property(fc.array(node), fc.array(node), node, (before, after, one) => {
      expect(spanListOf([...before, { ...one, kind: 'plain' }, ...after])).toBe(null);
    }),
  );
  expect(spanListOf([])).toBe(null);
});
