import { Link } from 'wouter';
import { runStatus } from '#contract/runs.ts';
import { longestPage, runList } from '../data/sources.ts';
import type { RunSummary } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMany, formatMoney } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Select } from '../parts/choice.tsx';
import { Ago, Lasting } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { NameField } from '../parts/name-field.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { RunState, statusNames } from './run-state.tsx';

const limit = 50;

const columns: Column<RunSummary>[] = [
  {
    name: 'Run',
    width: 92,
    cell: ({ id }) => (
      <Link to={`/runs/${id}`} className="row-link mono">
        {id}
      </Link>
    ),
  },
  { name: 'Agent', cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: 'Workflow', cell: ({ workflow_name }) => <Clipped text={workflow_name} /> },
  { name: 'Status', width: 104, cell: ({ status }) => <RunState status={status} /> },
  { name: 'Started', width: 110, cell: ({ started_at }) => <Ago at={started_at} /> },
  { name: 'Duration', width: 96, align: 'end', cell: (run) => <RunDuration run={run} /> },
  { name: 'Calls', width: 72, align: 'end', cell: (run) => formatCount(run.llm_call_count) },
  { name: 'Tokens', width: 96, align: 'end', cell: ({ tokens }) => formatCount(tokens) },
  { name: 'Cost', width: 96, align: 'end', cell: ({ cost }) => formatMoney(cost) },
];

const RunDuration = ({ run }: { run: RunSummary }) => (
  <Lasting from={run.started_at} to={run.completed_at} />
);

export function RunsPage() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const filter = filterOf(filters);
  const reading = useQuery(runList({ limit, offset, ...filter }));
  return (
    <Page
      title="Runs"
      aside={reading.data && <span className="muted">{formatMany(reading.data.count, 'run')}</span>}
    >
      <RunToolbar filters={filters} />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <NoRuns filtered={Object.keys(filter).length > 0} />
          ) : (
            <>
              <DataTable
                label="Runs"
                columns={columns}
                rows={results}
                rowKey={({ id }) => String(id)}
                rowLink={({ id }) => `/runs/${id}`}
                stale={reading.stale}
              />
              <Pager
                label="Pages of runs"
                {...{ offset, limit, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function filterOf(filters: Filters) {
  const agent = filters.get('agent');
  const status = runStatus.options.find((status) => status === filters.get('status'));
  return { ...(agent ? { agent } : {}), ...(status ? { status } : {}) };
}

function RunToolbar({ filters }: { filters: Filters }) {
  const { data } = useQuery(runList({ limit: longestPage }));
  const agent = filters.get('agent');
  return (
    <div className="toolbar">
      <NameField
        label="Agent"
        known={data?.results.map(({ agent_name }) => agent_name) ?? []}
        value={agent}
        onChange={(agent) => filters.set({ agent })}
      />
      <Select
        label="Status"
        all="Every status"
        options={runStatus.options.map((id) => ({ id, name: statusNames[id] }))}
        value={filters.get('status')}
        onChange={(status) => filters.set({ status })}
      />
    </div>
  );
}

function NoRuns({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No run matches these filters" />;
  return (
    <Empty title="No run has been recorded yet">
      <p>
        Agents record their runs with an API key that may record:{' '}
        <code>POST {location.origin}/api/v1/observe/runs/start/</code>
      </p>
    </Empty>
  );
}
