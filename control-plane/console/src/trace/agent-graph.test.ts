import { expect, test } from 'vitest';
import type { TraceItem } from '../runs/trace-tree.ts';
import { graphOf } from './agent-graph.ts';

const run = (id: number, name: string, parent: number | null, more: object = {}): TraceItem => ({
  kind: 'run',
  id: String(id),
  run_id: id,
  span_id: null,
  parent_span_id: null,
  parent_run_id: parent,
  name,
  started_at: null,
  recorded_at: new Date(0).toISOString(),
  duration_ms: 10,
  status: 'ok',
  cost: 0.5,
  ...more,
});

test('agents are layered by their calls, with their runs, errors, times and costs', () => {
  const { nodes, edges } = graphOf([
    run(1, 'planner', 99),
    run(2, 'researcher', 1),
    run(3, 'researcher', 1, { status: 'error' }),
    run(4, 'writer', 3, { status: 'running', duration_ms: null }),
    run(5, 'critic', 1),
  ]);
  const counts = (runs: number, failed: number, running: number) => ({ runs, failed, running });
  expect(nodes).toEqual([
    { agent: 'planner', layer: 0, place: 0, ...counts(1, 0, 0), duration_ms: 10, cost: 0.5 },
    { agent: 'researcher', layer: 1, place: 0, ...counts(2, 1, 0), duration_ms: 20, cost: 1 },
    { agent: 'writer', layer: 2, place: 0, ...counts(1, 0, 1), duration_ms: 0, cost: 0.5 },
    { agent: 'critic', layer: 1, place: 1, ...counts(1, 0, 0), duration_ms: 10, cost: 0.5 },
  ]);
  expect(edges).toEqual([
    { from: 'planner', to: 'researcher', calls: 2 },
    { from: 'researcher', to: 'writer', calls: 1 },
    { from: 'planner', to: 'critic', calls: 1 },
  ]);
});

test('agents may call themselves and each other', () => {
  const { nodes, edges } = graphOf([
    run(1, 'a', null),
    run(2, 'b', 1),
    run(3, 'a', 2),
    run(4, 'a', 3),
  ]);
  expect(nodes.map(({ agent, layer }) => [agent, layer])).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
  expect(edges.map(({ from, to, calls }) => `${from}→${to} ${calls}`)).toEqual([
    'a→b 1',
    'b→a 1',
    'a→a 1',
  ]);
});

test('runs that are parents of each other are laid out too', () => {
  expect(graphOf([run(1, 'a', 2), run(2, 'b', 1)]).nodes).toMatchObject([
    { agent: 'a', layer: 0 },
    { agent: 'b', layer: 1 },
  ]);
});
