import { array, assert, constantFrom, integer, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { buildTrace, type TraceItem, type TraceNode } from './trace-tree.ts';

const at = (ms: number): string => new Date(ms).toISOString();
let ids = 0;

const item = (kind: TraceItem['kind'], more: Partial<TraceItem> = {}): TraceItem => ({
  kind,
  id: String((ids += 1)),
  run_id: 1,
  span_id: null,
  parent_span_id: null,
  name: more.span_id ?? kind,
  started_at: null,
  recorded_at: at(0),
  duration_ms: null,
  status: 'ok',
  ...more,
});
const run = (run_id: number, more: Partial<TraceItem> = {}) =>
  item('run', { id: String(run_id), run_id, name: `run ${run_id}`, started_at: at(0), ...more });
const span = (span_id: string, parent_span_id: string | null, more: Partial<TraceItem> = {}) =>
  item('span', { span_id, parent_span_id, ...more });

interface Shape {
  [name: string]: Shape;
}
const shapeOf = (nodes: readonly TraceNode[]): Shape =>
  Object.fromEntries(nodes.map((node) => [node.item.name, shapeOf(node.children)]));

test('records are children of their parents, or of their run if they have no parent', () => {
  const { roots, size, orphans } = buildTrace([
    span('tool', 'agent'),
    run(1),
    span('agent', null),
    item('step', { name: 'step', parent_span_id: 'agent' }),
  ]);
  expect(shapeOf(roots)).toEqual({ 'run 1': { agent: { tool: {}, step: {} } } });
  expect([size, orphans]).toEqual([4, 0]);
});

test('runs are children of the span that started them, or of their parent run', () => {
  const items = [
    run(1),
    span('delegate', null),
    run(2, { parent_run_id: 1, parent_span_id: 'delegate' }),
    // The same id in another run refers to another span.
    span('delegate', null, { run_id: 2, name: 'its own' }),
    run(3, { parent_run_id: 2, parent_span_id: 'gone' }),
    run(4, { parent_run_id: 1 }),
  ];
  const { roots, orphans } = buildTrace(items);
  expect(shapeOf(roots)).toEqual({
    'run 1': { delegate: { 'run 2': { 'its own': {}, 'run 3': {} } }, 'run 4': {} },
  });
  expect(orphans).toBe(1);
  expect(shapeOf(buildTrace(items.slice(2)).roots)).toMatchObject({ 'run 2': {} });
});

test('links lead to the next recorded ancestor and are not shown', () => {
  const { roots, size, orphans } = buildTrace([
    run(1),
    span('agent', null),
    item('link', { span_id: 'http', parent_span_id: 'agent' }),
    item('link', { span_id: 'retry', parent_span_id: 'http' }),
    item('link', { span_id: 'server', parent_span_id: null }),
    item('link', { span_id: 'round', parent_span_id: 'round' }),
    span('call', 'retry'),
    span('handler', 'server'),
    span('lost', 'round'),
  ]);
  expect(shapeOf(roots)).toEqual({ 'run 1': { agent: { call: {} }, handler: {}, lost: {} } });
  expect([size, orphans]).toEqual([5, 1]);
});

test('siblings are sorted by start; those without a start follow', () => {
  const { roots, untimed, from, to } = buildTrace([
    run(1),
    span('none 1', null),
    span('late', null, { started_at: at(20), duration_ms: 5 }),
    span('early', null, { started_at: at(10), duration_ms: 100 }),
    span('none 2', null),
  ]);
  expect(Object.keys(shapeOf(roots)['run 1'] ?? {})).toEqual(['early', 'late', 'none 1', 'none 2']);
  expect({ untimed, from, to }).toEqual({ untimed: 2, from: 0, to: 110 });
});

test.each([0, 1])('a failed call and its span form one record, in either order', (turn) => {
  const call = item('llm_call', { span_id: 'x', name: 'gpt-4o' });
  const failure = span('x', null, { status: 'error' });
  const items = [run(1), ...(turn ? [failure, call] : [call, failure]), span('below', 'x')];
  const { roots, size } = buildTrace(items);
  expect(shapeOf(roots)).toEqual({ 'run 1': { 'gpt-4o': { below: {} } } });
  expect(roots[0]?.children[0]).toMatchObject({ failed: true, item: call, also: failure });
  expect(size).toBe(3);
});

test('a cycle is broken at its first record', () => {
  const { roots, orphans } = buildTrace([
    run(1),
    span('a', 'c'),
    span('b', 'a'),
    span('c', 'b'),
    span('self', 'self'),
    span('leaf', 'c'),
  ]);
  expect(shapeOf(roots)).toEqual({ 'run 1': { a: { b: { c: { leaf: {} } } }, self: {} } });
  expect(orphans).toBe(2);
});

test('30,000 nested spans form a tree', () => {
  const spans = Array.from({ length: 30_000 }, (_, i) => span(`${i}`, i ? `${i - 1}` : null));
  let depth = 0;
  let [node] = buildTrace([run(1), ...spans.toReversed()]).roots;
  for (; node; [node] = node.children) depth += 1;
  expect(depth).toBe(30_001);
});

const name = constantFrom('a', 'b', 'c', 'd', 'e');
const runId = integer({ min: 1, max: 3 });
const anyItems = array(
  record({
    kind: constantFrom('run', 'llm_call', 'tool', 'span', 'step', 'verdict', 'link'),
    run_id: runId,
    parent_run_id: option(runId),
    span_id: option(name),
    parent_span_id: option(name),
    started_at: option(integer({ min: 0, max: 1e6 }).map(at)),
    status: constantFrom('ok', 'error'),
  }),
  { maxLength: 40 },
).map((given) => given.map(({ kind, ...more }) => item(kind as 'span', more as object)));

test('for any input, each record is shown once, and no record is its own descendant', () => {
  assert(
    property(anyItems, (items) => {
      const tree = buildTrace(items);
      const seen: TraceItem[] = [];
      const pending = [...tree.roots];
      for (let node = pending.pop(); node; node = pending.pop()) {
        seen.push(node.item, ...(node.also ? [node.also] : []));
        expect(seen.length).toBeLessThanOrEqual(items.length);
        pending.push(...node.children);
      }
      const runs = new Map<number, TraceItem>();
      for (const one of items)
        if (one.kind === 'run' && !runs.has(one.run_id)) runs.set(one.run_id, one);
      const shown = items.filter(
        (one) => one.kind !== 'link' && (one.kind !== 'run' || runs.get(one.run_id) === one),
      );
      expect(new Set(seen)).toEqual(new Set(shown));
      expect(seen.length).toBe(shown.length);
    }),
  );
});
