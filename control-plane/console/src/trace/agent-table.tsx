import { t } from '@lingui/core/macro';
import { formatCount, formatDuration, formatMoney } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import type { AgentEdge, AgentGraph, AgentNode } from './agent-graph.ts';

const number = { width: 110, align: 'end' } as const;

const columnsFor = (edges: readonly AgentEdge[]): Column<AgentNode>[] => [
  { name: t`Agent`, width: '30%', cell: ({ agent }) => <Clipped text={agent} /> },
  { name: t`Runs`, ...number, cell: ({ runs }) => formatCount(runs) },
  { name: t`Errors`, ...number, cell: ({ failed }) => formatCount(failed) },
  { name: t`Duration`, ...number, cell: ({ duration_ms }) => formatDuration(duration_ms) },
  { name: t`Cost`, ...number, cell: ({ cost }) => formatMoney(cost) },
  { name: t`Calls`, cell: ({ agent }) => <Clipped text={callsOf(agent, edges)} /> },
];

const callsOf = (agent: string, edges: readonly AgentEdge[]): string =>
  edges
    .filter(({ from }) => from === agent)
    .map(({ to, calls }) => `${to} ${formatCount(calls)}×`)
    .join(', ') || 'none';

/** The graph of agents in words. */
export const AgentTable = ({ graph: { nodes, edges } }: { graph: AgentGraph }) => (
  <DataTable
    label={t`Agents of this trace`}
    columns={columnsFor(edges)}
    rows={nodes}
    rowKey={({ agent }) => agent}
  />
);
