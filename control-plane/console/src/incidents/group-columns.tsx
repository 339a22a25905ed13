import { t } from '@lingui/core/macro';
import type { Assignee, IncidentGroup, IncidentGroups } from '../data/incident-sources.ts';
import { formatCount, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { categoryName } from '../policies/category-names.ts';
import { incidentReason } from './incident-reason.ts';
import { IncidentState, SeverityBadge } from './incident-state.tsx';
import { ObeyedBadge } from './obeyed.tsx';
import type { FilterSelection } from './filter-selection.ts';
import { Trend } from './trend.tsx';

interface GroupContext {
  /** Undefined if the user may not change incidents. */
  selection: FilterSelection | undefined;
  users: readonly Assignee[];
  groups: Pick<IncidentGroups, 'trend_start' | 'trend_seconds'> | undefined;
}

/** The name of an assignee. Users who have been disabled or deleted are not in the list. */
export const assigneeName = (id: string, users: readonly Assignee[]): string =>
  users.find((user) => user.id === id)?.email ?? t`former user`;

function assigneesOf({ assignee_id, assignee_count }: IncidentGroup, users: readonly Assignee[]) {
  if (assignee_count === 0) return NONE;
  return assignee_id === null ? t`several` : assigneeName(assignee_id, users);
}

function statusOf({ open, acknowledged }: IncidentGroup) {
  if (open > 0) return 'open' as const;
  return acknowledged > 0 ? ('acknowledged' as const) : ('resolved' as const);
}

const GroupName = ({
  group,
  selection,
}: Pick<GroupContext, 'selection'> & { group: IncidentGroup }) => (
  <span className="group-name">
    {selection && (
      <input
        type="checkbox"
        aria-label={t`Select ${markInvisible(incidentReason(group.latest))}`}
        checked={selection.has(group.group_id)}
        onChange={() => selection.toggle(group.group_id)}
      />
    )}
    <Clipped text={incidentReason(group.latest)} />
  </span>
);

const nameColumn = (selection: FilterSelection | undefined): ListColumn<IncidentGroup> => ({
  id: 'reason',
  label: t`Incident`,
  width: '24%',
  cell: (group) => <GroupName group={group} selection={selection} />,
});

/** The policy that raised the incidents, and the agent or device of the latest one. */
const originColumns: readonly ListColumn<IncidentGroup>[] = [
  {
    id: 'policy',
    label: t`Policy or rule`,
    cell: ({ latest }) => <Clipped text={latest.policy_name} />,
  },
  {
    id: 'agent',
    label: t`Agent or device`,
    cell: ({ latest }) => <Clipped text={latest.hostname ?? latest.agent_name} />,
  },
  {
    id: 'severity',
    label: t`Severity`,
    width: 92,
    sort: 'severity',
    descends: true,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
];

const countColumns: readonly ListColumn<IncidentGroup>[] = [
  {
    id: 'incidents',
    label: t`Incidents`,
    width: 96,
    numeric: true,
    sort: 'incidents',
    descends: true,
    cell: ({ incident_count }) => formatCount(incident_count),
  },
  {
    id: 'occurrences',
    label: t`Occurrences`,
    width: 122,
    numeric: true,
    sort: 'occurrences',
    descends: true,
    hidden: true,
    cell: ({ occurrences }) => formatCount(occurrences),
  },
];

const trendColumn = (groups: GroupContext['groups']): ListColumn<IncidentGroup> => ({
  id: 'trend',
  label: t`Trend`,
  width: 92,
  cell: ({ trend }) =>
    groups ? (
      <Trend values={trend} start={groups.trend_start} seconds={groups.trend_seconds} />
    ) : null,
});

/** Columns for the state of the incidents and the user who resolved them. */
const stateColumns = (users: readonly Assignee[]): readonly ListColumn<IncidentGroup>[] => [
  {
    id: 'status',
    label: t`Status`,
    width: 128,
    cell: (group) => <IncidentState status={statusOf(group)} />,
  },
  {
    id: 'assignee',
    label: t`Assignee`,
    cell: (group) => <Clipped text={assigneesOf(group, users)} />,
  },
];

const timeColumns: readonly ListColumn<IncidentGroup>[] = [
  {
    id: 'last_seen',
    label: t`Last seen`,
    width: 96,
    sort: 'last_seen',
    descends: true,
    cell: ({ last_seen }) => <Ago at={last_seen} />,
  },
  {
    id: 'first_seen',
    label: t`First seen`,
    width: 110,
    sort: 'first_seen',
    descends: true,
    hidden: true,
    cell: ({ first_seen }) => <Ago at={first_seen} />,
  },
];

/** Columns for the action of the policy and whether the agent obeyed it. */
const verdictColumns: readonly ListColumn<IncidentGroup>[] = [
  {
    id: 'action',
    label: t`Action`,
    width: 92,
    hidden: true,
    cell: ({ latest }) => <ActionBadge action={latest.action} />,
  },
  {
    id: 'obeyed',
    label: t`Agent after the latest block`,
    width: 120,
    hidden: true,
    cell: ({ latest }) => <ObeyedBadge incident={latest} />,
  },
  {
    id: 'category',
    label: t`Category`,
    hidden: true,
    cell: ({ latest }) => <Clipped text={categoryName(latest.category)} />,
  },
];

/** The columns of the list of incidents by cause. */
export const groupColumns = ({
  selection,
  users,
  groups,
}: GroupContext): readonly ListColumn<IncidentGroup>[] => [
  nameColumn(selection),
  ...originColumns,
  ...countColumns,
  trendColumn(groups),
  ...stateColumns(users),
  ...timeColumns,
  ...verdictColumns,
];
