import { Link } from 'wouter';
import type { RunSummary } from '../data/sources.ts';
import { formatCount, formatMoney } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago, Lasting } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { RunState } from './run-state.tsx';

const columns: Column<RunSummary>[] = [
  {
    name: 'Run',
    width: 84,
    cell: ({ id }) => (
      <Link to={`/runs/${id}`} className="row-link mono">
        {id}
      </Link>
    ),
  },
  { name: 'Agent', cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: 'Workflow', cell: ({ workflow_name }) => <Clipped text={workflow_name} /> },
  { name: 'Status', width: 98, cell: ({ status }) => <RunState status={status} /> },
  { name: 'Started', width: 102, cell: ({ started_at }) => <Ago at={started_at} /> },
  { name: 'Duration', width: 96, align: 'end', cell: (run) => <RunDuration run={run} /> },
  {
    name: 'Calls',
    width: 72,
    align: 'end',
    wideOnly: true,
    cell: (run) => formatCount(run.llm_call_count),
  },
  { name: 'Tokens', width: 108, align: 'end', cell: ({ tokens }) => formatCount(tokens) },
  { name: 'Cost', width: 106, align: 'end', cell: ({ cost }) => formatMoney(cost) },
];

const RunDuration = ({ run }: { run: RunSummary }) => (
  <Lasting from={run.started_at} to={run.completed_at} />
);

interface RunsTableProps {
  runs: readonly RunSummary[];
  stale: boolean;
}

export const RunsTable = ({ runs, stale }: RunsTableProps) => (
  <DataTable
    label="Runs"
    columns={columns}
    rows={runs}
    rowKey={({ id }) => String(id)}
    rowLink={({ id }) => `/runs/${id}`}
    stale={stale}
  />
);
