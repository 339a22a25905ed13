import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { Assignee, Incident } from '../data/incident-sources.ts';
import { formatExact, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { pathTo } from '../path-id.ts';
import { assigneeName } from './group-columns.tsx';
import { IncidentDetail } from './incident-detail.tsx';
import { IncidentState } from './incident-state.tsx';
import { ObeyedBadge } from './obeyed.tsx';

function Place({
  incident: { run_id, device_id, hostname, workflow_name },
}: {
  incident: Incident;
}) {
  if (run_id !== null)
    return (
      <Link to={`/runs/${run_id}?tab=governance`}>
        <Trans>Run {run_id}</Trans>
      </Link>
    );
  if (device_id === null) return <Clipped text={t`${workflow_name}, before the run`} />;
  return (
    <Link to={pathTo('devices', device_id)}>
      <Clipped text={hostname ?? NONE} />
    </Link>
  );
}

const columnsWith = (users: readonly Assignee[]): Column<Incident>[] => [
  { name: t`Last seen`, width: 104, cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
  { name: t`Where`, cell: (incident) => <Place incident={incident} /> },
  { name: t`Agent`, width: 92, cell: (incident) => <ObeyedBadge incident={incident} /> },
  { name: t`Status`, width: 128, cell: ({ status }) => <IncidentState status={status} /> },
  {
    name: t`Assignee`,
    width: 90,
    cell: ({ assignee_id }) => (
      <Clipped text={assignee_id === null ? NONE : assigneeName(assignee_id, users)} />
    ),
  },
];

interface OccurrencesTableProps {
  incidents: readonly Incident[];
  users: readonly Assignee[];
  stale: boolean;
  onChanged: (() => Promise<void>) | undefined;
}

/** Table of the incidents of a group. An expanded row shows the details and allows changes. */
export const OccurrencesTable = ({ incidents, users, stale, onChanged }: OccurrencesTableProps) => (
  <DataTable
    label={t`Occurrences`}
    columns={columnsWith(users)}
    rows={incidents}
    rowKey={({ id }) => id}
    rowName={nameOf}
    detail={detailWith(onChanged)}
    stale={stale}
  />
);

function nameOf({ run_id, created_at }: Incident): string {
  const at = formatExact(Date.parse(created_at));
  return run_id === null ? t`incident, ${at}` : t`run ${run_id}, ${at}`;
}

const detailWith = (onChanged: OccurrencesTableProps['onChanged']) =>
  function Detail(incident: Incident) {
    return <IncidentDetail incident={incident} onChanged={onChanged} />;
  };
