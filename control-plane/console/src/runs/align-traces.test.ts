import { expect, test } from 'vitest';
import { alignTraces, differentRows } from './align-traces.ts';
import type { TraceItem, TraceNode } from './trace-tree.ts';

let made = 0;

/** A node such as `tool shell` with its children. */
function node(text: string, ...children: TraceNode[]): TraceNode {
  const [kind = '', name = '', status = 'ok'] = text.split(' ');
  const item: TraceItem = {
    kind: kind as TraceItem['kind'],
    id: String((made += 1)),
    run_id: 1,
    span_id: null,
    parent_span_id: null,
    name,
    started_at: null,
    recorded_at: '2026-01-01T00:00:00.000Z',
    duration_ms: null,
    status: status as TraceItem['status'],
  };
  const failed = status === 'error';
  return { item, also: undefined, failed, from: null, to: null, isOrphan: false, children };
}

const shown = (rows: ReturnType<typeof alignTraces>) =>
  rows.map(({ depth, left, right }) => {
    const [one, other] = [left, right].map((node) => node?.item.name ?? '–');
    return `${'.'.repeat(depth)}${one} | ${other}`;
  });

test('records with the same kind and name correspond, in order', () => {
  const left = node('run a', node('tool x'), node('llm_call m'), node('tool y'));
  const right = node('run b', node('llm_call m'), node('tool new'), node('tool y'));
  expect(shown(alignTraces([left], [right]))).toEqual([
    'a | b',
    '.x | –',
    '.m | m',
    '.– | new',
    '.y | y',
  ]);
});

test('between them, records of the same kind correspond by position', () => {
  const left = node('run a', node('llm_call old'), node('step s'), node('tool y'));
  const right = node('run a', node('llm_call new'), node('tool z'), node('tool y'));
  expect(shown(alignTraces([left], [right]))).toEqual([
    'a | a',
    '.old | new',
    '.s | –',
    '.– | z',
    '.y | y',
  ]);
});

test('descendants of a record in only one run are shown for that run only', () => {
  const left = node('run a', node('span s', node('tool x'), node('tool y')));
  const right = node('run a', node('span s', node('tool y', node('step deep'))), node('run child'));
  expect(shown(alignTraces([left], [right]))).toEqual([
    'a | a',
    '.s | s',
    '..x | –',
    '..y | y',
    '...– | deep',
    '.– | child',
  ]);
});

test('different rows are shown with their ancestors', () => {
  const left = node('run a', node('span s', node('tool x'), node('tool y')), node('tool z'));
  const right = node('run a', node('span s', node('tool x error'), node('tool y')), node('tool z'));
  expect(shown(differentRows(alignTraces([left], [right])))).toEqual([
    'a | a',
    '.s | s',
    '..x | x',
  ]);
  expect(differentRows(alignTraces([left], [left]))).toEqual([]);
});

test('long lists without common names and deeply nested traces are aligned', () => {
  const many = (name: string) => Array.from({ length: 5000 }, (_, at) => node(`tool ${name}${at}`));
  expect(alignTraces(many('a'), many('b'))).toHaveLength(5000);
  const deep = () => {
    let root = node('tool end');
    for (let at = 0; at < 20_000; at += 1) root = node('span s', root);
    return [root];
  };
  expect(alignTraces(deep(), deep())).toHaveLength(20_001);
});
