import { evaluationList, incidentList, openIncidents } from '../data/governance-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { EvaluationsTable } from './evaluations-table.tsx';
import { evaluationFilterOf, incidentFilterOf } from './governance-filter.ts';
import { GovernanceToolbar } from './governance-toolbar.tsx';
import { IncidentsTable } from './incidents-table.tsx';

const limit = 50;

const tabs = [
  { id: 'incidents', name: 'Incidents' },
  { id: 'evaluations', name: 'Policy evaluations' },
] as const;

/** Incidents raised by policies and inventory rules, and all policy evaluations. */
export function IncidentsPage({ user }: { user: User }) {
  const filters = useFilters();
  const tab = filters.get('tab') === 'evaluations' ? 'evaluations' : 'incidents';
  return (
    <Page title="Incidents">
      <Tabs
        label="Incidents and evaluations"
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'evaluations' ? tab : '' })}
      >
        <GovernanceToolbar filters={filters} of={tab} />
        {tab === 'incidents' ? (
          <Incidents filters={filters} user={user} />
        ) : (
          <Evaluations filters={filters} />
        )}
      </Tabs>
    </Page>
  );
}

function Incidents({ filters, user }: { filters: Filters; user: User }) {
  const offset = offsetOf(filters);
  const [filter, range] = [incidentFilterOf(filters), timeRangeOf(filters)];
  const reading = useQuery(incidentList({ limit, offset, ...filter }, range));
  const open = useQuery(openIncidents());
  const filtered = Object.keys({ ...filter, ...range }).length > 0;
  const onChanged = async () => {
    await Promise.all([reading.refetch(), open.refetch()]);
  };
  return (
    <Loaded reading={reading}>
      {({ results, count }) =>
        results.length === 0 && offset === 0 ? (
          <Empty title={filtered ? 'No incident matches these filters' : 'No incidents'}>
            {!filtered && <p>Policies that warn or block open incidents, as do inventory rules.</p>}
          </Empty>
        ) : (
          <>
            <IncidentsTable
              incidents={results}
              stale={reading.stale}
              onChanged={mayWrite(user) ? onChanged : undefined}
            />
            <Pages label="Pages of incidents" {...{ offset, count, filters }} />
          </>
        )
      }
    </Loaded>
  );
}

function Evaluations({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const [filter, range] = [evaluationFilterOf(filters), timeRangeOf(filters)];
  const reading = useQuery(evaluationList({ limit, offset, ...filter }, range));
  return (
    <Loaded reading={reading}>
      {({ results, count }) =>
        results.length === 0 && offset === 0 ? (
          <Empty title="No policy evaluations" />
        ) : (
          <>
            <EvaluationsTable evaluations={results} stale={reading.stale} />
            <Pages label="Pages of evaluations" {...{ offset, count, filters }} />
          </>
        )
      }
    </Loaded>
  );
}

interface PagesProps {
  label: string;
  offset: number;
  count: number;
  filters: Filters;
}

const Pages = ({ label, offset, count, filters }: PagesProps) => (
  <Pager
    label={label}
    {...{ offset, limit, count }}
    onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
  />
);
