import { t } from '@lingui/core/macro';
import type { DeviceDetail } from '../data/device-sources.ts';
import { formatExact } from '../format.ts';
import { Elapsed } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';

type Gap = DeviceDetail['not_observed'][number];

const reasons: Record<Gap['reason'], string> = {
  not_running: t`Agent not running`,
  dropped: t`Reports dropped`,
};

const columns: Column<Gap>[] = [
  { name: t`From`, cell: ({ started_at }) => formatExact(Date.parse(started_at)) },
  { name: t`To`, cell: ({ ended_at }) => formatExact(Date.parse(ended_at)) },
  {
    name: t`Duration`,
    width: 110,
    cell: ({ started_at, ended_at }) => <Elapsed from={started_at} to={ended_at} />,
  },
  { name: t`Reason`, cell: ({ reason }) => reasons[reason] },
];

/** Table of time ranges without recorded flows, so that a list of flows does not look complete. */
export const NotObserved = ({ gaps }: { gaps: readonly Gap[] }) => (
  <DataTable
    label={t`Monitoring gaps`}
    columns={columns}
    rows={gaps}
    rowKey={({ reason, started_at }) => `${reason} ${started_at}`}
  />
);
