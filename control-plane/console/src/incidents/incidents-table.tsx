import { t } from '@lingui/core/macro';
import type { Incident } from '../data/incident-sources.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { IncidentDetail } from './incident-detail.tsx';
import { incidentReason } from './incident-reason.ts';
import { IncidentState } from './incident-state.tsx';
import { formatExact } from '../format.ts';

const columns: Column<Incident>[] = [
  {
    name: t`Incident`,
    width: '34%',
    cell: (incident) => <Clipped text={incidentReason(incident)} />,
  },
  { name: t`Policy or rule`, cell: ({ policy_name }) => <Clipped text={policy_name} /> },
  {
    name: t`Agent or device`,
    wideOnly: true,
    cell: ({ agent_name, hostname }) => <Clipped text={hostname ?? agent_name} />,
  },
  { name: t`Action`, width: 84, cell: ({ action }) => <ActionBadge action={action} /> },
  { name: t`Status`, width: 144, cell: ({ status }) => <IncidentState status={status} /> },
  { name: t`Opened`, width: 108, cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface IncidentsTableProps {
  incidents: readonly Incident[];
  stale: boolean;
  /** Refetches the incidents; undefined if the user may not change them. */
  onChanged: (() => Promise<void>) | undefined;
}

/**
 * Table of incidents. An expanded row shows the details and allows acknowledging or resolving the
 * incident.
 */
export const IncidentsTable = ({ incidents, stale, onChanged }: IncidentsTableProps) => (
  <DataTable
    label={t`Incidents`}
    columns={columns}
    rows={incidents}
    rowKey={({ id }) => id}
    rowName={({ policy_name, created_at }) =>
      `${policy_name}, ${formatExact(Date.parse(created_at))}`
    }
    detail={detailWith(onChanged)}
    stale={stale}
  />
);

const detailWith = (onChanged: IncidentsTableProps['onChanged']) =>
  function Detail(incident: Incident) {
    return <IncidentDetail incident={incident} onChanged={onChanged} />;
  };
