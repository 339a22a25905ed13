import { t } from '@lingui/core/macro';
import type { DeviceDetail } from '../data/device-sources.ts';
import { formatExact, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Lasting } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';

type Pause = DeviceDetail['pauses'][number];

const ends: Record<NonNullable<Pause['ended_by']>, string> = {
  time: t`Expired`,
  person: t`Resumed by the user`,
  permission: t`Permission withdrawn`,
  clock: t`Computer restarted or clock changed`,
};

const columns: Column<Pause>[] = [
  { name: t`From`, cell: ({ started_at }) => formatExact(Date.parse(started_at)) },
  { name: t`Until`, cell: ({ ended_at, ends_at }) => formatExact(Date.parse(ended_at ?? ends_at)) },
  {
    name: t`Duration`,
    width: 110,
    cell: ({ started_at, ended_at, ends_at }) => (
      <Lasting from={started_at} to={earlier(ended_at, ends_at)} />
    ),
  },
  { name: t`By`, width: '18%', cell: ({ user }) => <Clipped text={user || NONE} /> },
  { name: t`Ended by`, cell: (pause) => endOf(pause) },
];

/** Capture pauses by the user of the device. */
export const PausesList = ({ pauses }: { pauses: readonly Pause[] }) => (
  <DataTable label={t`Capture pauses`} columns={columns} rows={pauses} rowKey={({ id }) => id} />
);

/** When the pause ended, or expired without a report of the device; null while it is active. */
const earlier = (ended_at: string | null, ends_at: string): string | null =>
  ended_at ?? (Date.parse(ends_at) <= Date.now() ? ends_at : null);

function endOf({ ended_by, ended_at, ends_at }: Pause): string {
  if (ended_by) return ends[ended_by];
  return earlier(ended_at, ends_at) === null ? t`Active` : t`Not reported`;
}
