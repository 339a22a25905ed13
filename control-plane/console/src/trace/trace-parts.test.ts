import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { buildTrace, type TraceItem } from '../runs/trace-tree.ts';
import { ancestorsOf, listEntries } from './trace-entries.ts';
import { applyFilter, contains, entriesWhere, isProblem, adjacentIndex } from './trace-filter.ts';
import type { TraceFilter } from './trace-filter.ts';
import { actionOfKey } from './trace-keys.ts';
import { windowOf } from './use-virtual-rows.ts';
import { keysToCollapse, type TraceRow, visibleRows } from './visible-rows.ts';

const at = (ms: number): string => new Date(ms).toISOString();

const item = (kind: TraceItem['kind'], id: string, more: Partial<TraceItem> = {}): TraceItem => ({
  kind,
  id,
  run_id: 1,
  span_id: id,
  parent_span_id: null,
  name: id,
  started_at: at(Number(id.replace(/\D/g, '')) || 0),
  recorded_at: at(0),
  duration_ms: 1,
  status: 'ok',
  ...more,
});

/**
 * A trace: planner with s1 (children t2, failed, and c3), run 2 of writer (child v4, blocked) and
 * c5.
 */
const entries = listEntries(
  buildTrace([
    item('run', '1', { name: 'planner', span_id: null, started_at: at(0) }),
    item('span', 's1'),
    item('tool', 't2', { parent_span_id: 's1', status: 'error' }),
    item('llm_call', 'c3', { parent_span_id: 's1', name: 'GPT-4o' }),
    item('run', '2', { run_id: 2, name: 'writer', span_id: null, parent_run_id: 1 }),
    item('verdict', 'v4', { run_id: 2, span_id: null, action: 'block', reason: 'Too costly' }),
    item('llm_call', 'c5', { name: 'gpt-4o-mini' }),
  ]).roots,
);
const everything: TraceFilter = { kinds: [], agent: '', errorsOnly: false };
const none: ReadonlySet<string> = new Set();
const keys = (rows: readonly TraceRow[]) => rows.map(({ entry }) => entry.key);
const shownKeys = (filter: Partial<TraceFilter>) =>
  visibleRows(entries, applyFilter(entries, { ...everything, ...filter }), none).map(
    ({ entry, isContext }) => (isContext ? `(${entry.key})` : entry.key),
  );

test('entries are in tree order, with their ends and agents', () => {
  expect(
    entries.map(({ key, depth, parent, end, agent }) => [key, depth, parent, end, agent]),
  ).toEqual([
    ['run-1', 0, -1, 7, 'planner'],
    ['span-s1', 1, 0, 4, 'planner'],
    ['tool-t2', 2, 1, 3, 'planner'],
    ['llm_call-c3', 2, 1, 4, 'planner'],
    ['run-2', 1, 0, 6, 'writer'],
    ['verdict-v4', 2, 4, 6, 'writer'],
    ['llm_call-c5', 1, 0, 7, 'planner'],
  ]);
  expect(ancestorsOf(entries, 5)).toEqual([4, 0]);
});

test('30,000 nested records are listed without recursion', () => {
  const spans = Array.from({ length: 30_000 }, (_, i) =>
    item('span', `s${i}`, { parent_span_id: i === 0 ? null : `s${i - 1}` }),
  );
  const deep = listEntries(buildTrace(spans).roots);
  expect(deep.at(-1)).toMatchObject({ depth: 29_999, end: 30_000 });
  expect(visibleRows(deep, undefined, new Set(['span-s9']))).toHaveLength(10);
});

test('a collapsed row hides its descendants and keeps its position among its siblings', () => {
  const rows = visibleRows(entries, undefined, new Set(['span-s1']));
  expect(keys(rows)).toEqual(['run-1', 'span-s1', 'run-2', 'verdict-v4', 'llm_call-c5']);
  expect(rows.map(({ position, siblings, isOpen }) => [position, siblings, isOpen])).toEqual([
    [1, 1, true],
    [1, 3, false],
    [2, 3, true],
    [1, 1, undefined],
    [3, 3, undefined],
  ]);
  expect([...keysToCollapse(entries)]).toEqual(['span-s1', 'run-2']);
});

test('a filter keeps the ancestors of records that pass it', () => {
  expect(shownKeys({ kinds: ['llm_call'] })).toEqual([
    '(run-1)',
    '(span-s1)',
    'llm_call-c3',
    'llm_call-c5',
  ]);
  expect(shownKeys({ errorsOnly: true })).toEqual([
    '(run-1)',
    '(span-s1)',
    'tool-t2',
    '(run-2)',
    'verdict-v4',
  ]);
  expect(shownKeys({ agent: 'writer' })).toEqual(['(run-1)', 'run-2', 'verdict-v4']);
  expect(shownKeys({ agent: 'writer', kinds: ['llm_call'] })).toEqual([]);
  const shown = applyFilter(entries, { ...everything, kinds: ['tool'] });
  // It is the only sibling that passes.
  expect(visibleRows(entries, shown, none)[1]).toMatchObject({ position: 1, siblings: 1 });
});

test('a search finds names and reasons in any case and wraps around', () => {
  const find = (text: string) => entriesWhere(entries, undefined, (node) => contains(node, text));
  expect(find('gpt')).toEqual([3, 6]);
  expect(find('costly')).toEqual([5]);
  const problems = entriesWhere(entries, undefined, isProblem);
  expect(problems).toEqual([2, 5]);
  expect([-1, 2, 3, 5].map((place) => adjacentIndex(problems, place, 1))).toEqual([2, 5, 5, 2]);
  expect([5, 3, 2].map((place) => adjacentIndex(problems, place, -1))).toEqual([2, 2, 5]);
  expect(adjacentIndex([], 0, 1)).toBeUndefined();
});

test('keys move as in other trees', () => {
  const rows = visibleRows(entries, undefined, new Set(['run-2']));
  const act = (key: string, index: number) => {
    const action = actionOfKey(key, rows, index);
    return action && 'row' in action ? `${action.kind} ${action.row?.entry.key}` : action?.kind;
  };
  expect(act('ArrowDown', -1)).toBe('go run-1');
  expect(act('ArrowDown', 5)).toBe('go llm_call-c5');
  expect(act('ArrowUp', 0)).toBe('go run-1');
  expect(act('End', 0)).toBe('go llm_call-c5');
  expect(act('ArrowRight', 1)).toBe('go tool-t2');
  expect(act('ArrowRight', 2)).toBeUndefined();
  expect(act('ArrowRight', 4)).toBe('toggle run-2');
  expect(act('ArrowLeft', 1)).toBe('toggle span-s1');
  expect(act('ArrowLeft', 3)).toBe('go span-s1');
  expect(act('ArrowLeft', 4)).toBe('go run-1');
  expect(act('Enter', 3)).toBe('open llm_call-c3');
  expect(act('Escape', 3)).toBe('close');
  expect(act('x', 3)).toBeUndefined();
});

test('only visible rows and a few others are rendered', () => {
  assert(
    property(integer({ min: 0, max: 840_000 }), integer({ min: 0, max: 2000 }), (top, height) => {
      const { first, end } = windowOf(top, height, 30_000);
      expect(first * 28).toBeLessThanOrEqual(top);
      expect(end * 28).toBeGreaterThanOrEqual(Math.min(top + height, 840_000));
      expect(end - first).toBeLessThanOrEqual(height / 28 + 40);
    }),
  );
});

const anyItems = array(
  record({
    kind: constantFrom('run', 'llm_call', 'tool', 'verdict'),
    run_id: integer({ min: 1, max: 3 }),
    span_id: constantFrom('a', 'b', 'c'),
    parent_span_id: constantFrom(null, 'a', 'b', 'c'),
    status: constantFrom('ok', 'error'),
  }),
  { maxLength: 30 },
).map((some) => some.map(({ kind, ...more }, i) => item(kind as 'run', `${i}`, more as object)));

test('in any trace, a row is directly below its parent or the descendants of a sibling', () => {
  assert(
    property(anyItems, (items) => {
      const all = listEntries(buildTrace(items).roots);
      const rows = visibleRows(all, applyFilter(all, { ...everything, errorsOnly: true }), none);
      const seen = new Set([-1]);
      for (const { at: index, entry } of rows) {
        expect(seen.has(entry.parent)).toBe(true);
        seen.add(index);
      }
      const passing = rows.filter(({ isContext }) => !isContext);
      expect(passing).toHaveLength(all.filter(({ node }) => isProblem(node)).length);
    }),
  );
});
