import { runStatus } from '#contract/runs.ts';
import { runList } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMany } from '../format.ts';
import { Select } from '../parts/choice.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { AgentField } from './agent-field.tsx';
import { statusNames } from './run-state.tsx';
import { RunsTable } from './runs-table.tsx';

const limit = 50;

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
              <RunsTable runs={results} stale={reading.stale} />
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
  return (
    <div className="toolbar">
      <AgentField filters={filters} />
      <Select
        label="Status"
        all="All statuses"
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
    <Empty title="No runs yet">
      <p>
        Agents record runs with an API key that has the permission <code>record</code>:{' '}
        <code>POST {location.origin}/api/v1/observe/runs/start/</code>
      </p>
    </Empty>
  );
}
