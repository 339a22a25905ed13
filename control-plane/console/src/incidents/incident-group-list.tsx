import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_EXPORTED } from '#contract/filters.ts';
import { incidentRoutes } from '#contract/incidents.ts';
import { api } from '../data/api.ts';
import { assignees, incidentGroups, openIncidents } from '../data/incident-sources.ts';
import type { IncidentChanges, IncidentGroup, TriageFilter } from '../data/incident-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { exportAddress } from '../lists/list-actions.tsx';
import { ColumnMenu, ExportMenu } from '../lists/list-controls.tsx';
import { ListTable } from '../lists/list-table.tsx';
import { ViewMenu } from '../lists/view-menu.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { queryOf, timeRangeOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { BulkBar } from './bulk-bar.tsx';
import { groupColumns } from './group-columns.tsx';
import { GroupPanel } from './group-panel.tsx';
import { FIRST_GROUP_SORT, groupSortOf, incidentFilterOf } from './incident-filter.ts';
import { IncidentToolbar } from './incident-toolbar.tsx';
import { useFilterSelection } from './filter-selection.ts';

const LIST = 'incidents';
const LIMIT = 50;

/** Changes everything that currently matches the filter, or only the incidents of some groups. */
function changeMatching(
  { run_id: _none, ...filter }: TriageFilter,
  range: TimeRange,
  group: readonly string[] | undefined,
  changes: IncidentChanges,
) {
  const within = { ...filter, ...queryOf(range, Date.now()), ...(group && { group: [...group] }) };
  return api.incidents.updateIncidents({ body: { filter: within, changes } });
}

/** Table of incidents by cause: one row per policy, agent and reason. */
export function IncidentGroupList({ filters, user }: { filters: Filters; user: User }) {
  const offset = offsetOf(filters);
  const [filter, range, sort] = [
    incidentFilterOf(filters),
    timeRangeOf(filters),
    groupSortOf(filters),
  ];
  const reading = useQuery(incidentGroups({ limit: LIMIT, offset, sort, ...filter }, range));
  const open = useQuery(openIncidents());
  const { data: users = [] } = useQuery(assignees());
  const selection = useFilterSelection(JSON.stringify([filter, range]));
  const refetch = async () => {
    await Promise.all([reading.refetch(), open.refetch()]);
  };
  const change = async (group: readonly string[] | undefined, changes: IncidentChanges) => {
    await changeMatching(filter, range, group, changes);
    await refetch();
  };
  const writes = mayWrite(user);
  const columns = groupColumns({
    selection: writes ? selection : undefined,
    users,
    groups: reading.data,
  });
  const address = (format: 'csv' | 'jsonl') =>
    exportAddress(incidentRoutes.exportIncidents.path, {
      ...filter,
      ...queryOf(range, Date.now()),
      format,
    });
  const controls = (
    <>
      <ViewMenu list={LIST} />
      <ColumnMenu list={LIST} columns={columns} />
      <ExportMenu count={reading.data?.incident_count} most={MAX_EXPORTED} address={address} />
    </>
  );
  const filtered = Object.keys({ ...filter, ...range }).length > 0;
  const onChange = writes
    ? (id: string, changes: IncidentChanges) => change([id], changes)
    : undefined;
  const of = { filter, range, users, onChange, onChanged: refetch };
  const panel = (key: string, group: IncidentGroup | undefined) => ({
    title: group?.latest.policy_name ?? t`Incidents`,
    content: <GroupPanel key={key} id={key} {...of} />,
  });
  return (
    <>
      <IncidentToolbar filters={filters} users={users} controls={controls} />
      <Loaded reading={reading}>
        {({ results, count, incident_count }) =>
          results.length === 0 && offset === 0 ? (
            <Empty title={filtered ? t`No incident matches these filters` : t`No incidents`}>
              {!filtered && (
                <p>
                  <Trans>Policies that warn or block open incidents, as do inventory rules.</Trans>
                </p>
              )}
            </Empty>
          ) : (
            <>
              {writes && (
                <BulkBar
                  selection={selection}
                  groups={count}
                  incidents={incident_count}
                  users={users}
                  onChange={async (changes) => {
                    await change(selection.isAll ? undefined : selection.keys, changes);
                    selection.clear();
                  }}
                />
              )}
              <ListTable
                list={LIST}
                label={t`Incidents`}
                columns={columns}
                rows={results}
                rowKey={({ group_id }) => group_id}
                filters={filters}
                firstSort={FIRST_GROUP_SORT}
                panel={panel}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of incidents`}
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
