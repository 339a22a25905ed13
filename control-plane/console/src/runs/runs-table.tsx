import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { RunSummary } from '../data/run-sources.ts';
import { formatCount, formatCountInShort, formatMoneyInShort } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago, Elapsed } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { RunState } from './run-state.tsx';

/** A run in a list. Runs in the list of an end user have no call count. */
export type ListedRun = Pick<
  RunSummary,
  | 'id'
  | 'agent_name'
  | 'workflow_name'
  | 'status'
  | 'started_at'
  | 'completed_at'
  | 'tokens'
  | 'cost'
> & { llm_call_count?: number };

const calls: Column<ListedRun> = {
  name: t`Calls`,
  width: 72,
  align: 'end',
  wideOnly: true,
  cell: ({ llm_call_count = 0 }) => formatCount(llm_call_count),
};

const columns: Column<ListedRun>[] = [
  {
    name: t`Run`,
    width: 84,
    cell: ({ id }) => (
      <Link to={`/runs/${id}`} className="row-link mono">
        {id}
      </Link>
    ),
  },
  { name: t`Agent`, cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: t`Workflow`, cell: ({ workflow_name }) => <Clipped text={workflow_name} /> },
  { name: t`Status`, width: 98, cell: ({ status }) => <RunState status={status} /> },
  { name: t`Started`, width: 102, cell: ({ started_at }) => <Ago at={started_at} /> },
  { name: t`Duration`, width: 112, align: 'end', cell: (run) => <RunDuration run={run} /> },
  calls,
  { name: t`Tokens`, width: 108, align: 'end', cell: ({ tokens }) => formatCountInShort(tokens) },
  { name: t`Cost`, width: 106, align: 'end', cell: ({ cost }) => formatMoneyInShort(cost) },
];

const RunDuration = ({ run }: { run: ListedRun }) => (
  <Elapsed from={run.started_at} to={run.completed_at} />
);

const columnsFor = (runs: readonly ListedRun[]) =>
  runs.some(({ llm_call_count }) => llm_call_count !== undefined)
    ? columns
    : columns.filter((column) => column !== calls);

interface RunsTableProps {
  runs: readonly ListedRun[];
  stale: boolean;
}

export const RunsTable = ({ runs, stale }: RunsTableProps) => (
  <DataTable
    label={t`Runs`}
    columns={columnsFor(runs)}
    rows={runs}
    rowKey={({ id }) => String(id)}
    rowLink={({ id }) => `/runs/${id}`}
    stale={stale}
  />
);
