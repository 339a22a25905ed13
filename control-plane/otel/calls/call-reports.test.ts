import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Node } from '../nesting.ts';
import { findReports } from './call-reports.ts';

const facts = fc.record({
  parent_span_id: fc.constantFrom('parent', 'other parent'),
  call_key: fc.constantFrom('call', 'other call', null),
  scope: fc.constantFrom('a', 'b', 'c'),
  response_id: fc.constantFrom(null, null, 'r', 's'),
  position: fc.nat(6),
  duration: fc.nat(4),
});

const nodesOf = (calls: readonly (typeof facts extends fc.Arbitrary<infer T> ? T : never)[]) =>
  calls.map(({ position, duration, ...call }, index) => ({
    trace_id: 'trace',
    span_id: `span ${index}`,
    position: position * 1000,
    ended_at: position + duration,
    ...call,
  })) as Node[];

/** Whether both report the same call, by the definition alone. */
function isSame(a: Node, b: Node): boolean {
  const ids = new Set([a.response_id, b.response_id].filter((id) => id !== null));
  const contains = (outer: Node, inner: Node) =>
    outer.position <= inner.position && Number(inner.ended_at) <= Number(outer.ended_at);
  return (
    a.call_key !== null &&
    a.call_key === b.call_key &&
    a.parent_span_id === b.parent_span_id &&
    a.scope !== b.scope &&
    ids.size < 2 &&
    (contains(a, b) || contains(b, a))
  );
}

test('of two reports of the same call, exactly one is repeated by the other', () => {
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 12 }), (calls) => {
      const nodes = nodesOf(calls);
      const found = findReports(new Map(nodes.map((node) => [node.span_id, node])), new Set());
      for (const node of nodes) {
        const same = nodes.filter((other) => other !== node && isSame(node, other));
        const reports = found.reportsOf(node);
        const counting = same.filter((other) => found.reportsOf(other).includes(node));
        expect(same.every((other) => counting.includes(other) || reports.includes(other))).toBe(
          true,
        );
        expect(found.isRepeated(node)).toBe(counting.length > 0);
        expect(reports.includes(node)).toBe(false);
      }
    }),
  );
});
