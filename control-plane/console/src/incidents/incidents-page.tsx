import { t } from '@lingui/core/macro';
import { evaluationList } from '../data/incident-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { EvaluationsTable } from './evaluations-table.tsx';
import { evaluationFilterOf } from './incident-filter.ts';
import { IncidentGroupList } from './incident-group-list.tsx';
import { EvaluationToolbar } from './incident-toolbar.tsx';

const LIMIT = 50;

const tabs = [
  { id: 'incidents', name: t`Incidents` },
  { id: 'evaluations', name: t`Policy evaluations` },
] as const;

/**
 * Page with the incidents raised by policies and inventory rules, and with all policy evaluations.
 */
export function IncidentsPage({ user }: { user: User }) {
  const filters = useFilters();
  const tab = filters.get('tab') === 'evaluations' ? 'evaluations' : 'incidents';
  return (
    <Page title={t`Incidents`}>
      <Tabs
        label={t`Incidents and evaluations`}
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'evaluations' ? tab : '' })}
      >
        {tab === 'incidents' ? (
          <IncidentGroupList filters={filters} user={user} />
        ) : (
          <Evaluations filters={filters} />
        )}
      </Tabs>
    </Page>
  );
}

function Evaluations({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const [filter, range] = [evaluationFilterOf(filters), timeRangeOf(filters)];
  const reading = useQuery(evaluationList({ limit: LIMIT, offset, ...filter }, range));
  return (
    <>
      <EvaluationToolbar filters={filters} />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 && offset === 0 ? (
            <Empty title={t`No policy evaluations`} />
          ) : (
            <>
              <EvaluationsTable evaluations={results} stale={reading.stale} />
              <Pager
                label={t`Pages of evaluations`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}
