import type { DeviceDetail } from '../data/sources.ts';
import { formatExact, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Lasting } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';

type Pause = DeviceDetail['pauses'][number];

const ends: Record<NonNullable<Pause['ended_by']>, string> = {
  time: 'Its time was over',
  person: 'Resumed by hand',
  permission: 'The permission was withdrawn',
  clock: 'The computer was started again, or its clock set',
};

const columns: Column<Pause>[] = [
  { name: 'From', cell: ({ started_at }) => formatExact(Date.parse(started_at)) },
  { name: 'Until', cell: ({ ended_at, ends_at }) => formatExact(Date.parse(ended_at ?? ends_at)) },
  {
    name: 'Lasted',
    width: 110,
    cell: ({ started_at, ended_at, ends_at }) => (
      <Lasting from={started_at} to={earlier(ended_at, ends_at)} />
    ),
  },
  { name: 'By', width: '18%', cell: ({ user }) => <Clipped text={user || none} /> },
  { name: 'How it ended', cell: (pause) => endOf(pause) },
];

/** Times for which the person at the device paused capture. */
export const PausesList = ({ pauses }: { pauses: readonly Pause[] }) => (
  <DataTable label="Pauses of capture" columns={columns} rows={pauses} rowKey={({ id }) => id} />
);

/** Null while it lasts; the device may not have been able to tell of the end. */
const earlier = (ended_at: string | null, ends_at: string): string | null =>
  ended_at ?? (Date.parse(ends_at) <= Date.now() ? ends_at : null);

function endOf({ ended_by, ended_at, ends_at }: Pause): string {
  if (ended_by) return ends[ended_by];
  return earlier(ended_at, ends_at) === null ? 'It lasts' : 'Not told by the device';
}
