import type { DeviceDetail } from '../data/sources.ts';
import { formatExact } from '../format.ts';
import { Lasting } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';

type Gap = DeviceDetail['not_observed'][number];

const reasons: Record<Gap['reason'], string> = {
  not_running: 'The agent did not run',
  dropped: 'Reports were given up',
};

const columns: Column<Gap>[] = [
  { name: 'From', cell: ({ started_at }) => formatExact(Date.parse(started_at)) },
  { name: 'To', cell: ({ ended_at }) => formatExact(Date.parse(ended_at)) },
  {
    name: 'Lasted',
    width: 110,
    cell: ({ started_at, ended_at }) => <Lasting from={started_at} to={ended_at} />,
  },
  { name: 'Why', cell: ({ reason }) => reasons[reason] },
];

/** Times of which flows are missing: without them a list of flows would seem to be all there was. */
export const NotObserved = ({ gaps }: { gaps: readonly Gap[] }) => (
  <DataTable
    label="Times not observed"
    columns={columns}
    rows={gaps}
    rowKey={({ reason, started_at }) => `${reason} ${started_at}`}
  />
);
