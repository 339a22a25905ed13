import { Link } from 'wouter';
import type { Capture } from '../data/capture-sources.ts';
import { formatCount, none } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { CaptureContent } from './capture-content.tsx';
import { redactedIn } from './redacted-in.ts';

const columns: Column<Capture>[] = [
  {
    name: 'Exchange',
    cell: ({ method, host, path }) => (
      <Clipped mono text={`${host}${path}`} title={`${method} https://${host}${path}`} />
    ),
  },
  {
    name: 'App',
    width: '12%',
    cell: ({ app_id, process }) => <Clipped text={app_id ?? process ?? none} />,
  },
  {
    name: 'Device',
    width: '14%',
    cell: ({ device_id, hostname }) => (
      <Link to={`/devices/${device_id}`}>
        <Clipped text={hostname} />
      </Link>
    ),
  },
  {
    name: 'Model',
    width: '13%',
    wideOnly: true,
    cell: ({ model }) => <Clipped mono text={model ?? none} />,
  },
  { name: 'Time', width: 106, cell: ({ started_at }) => <Ago at={started_at} /> },
  {
    name: 'Tokens',
    width: 76,
    align: 'end',
    wideOnly: true,
    cell: ({ tokens_in, tokens_out }) =>
      tokens_in === null && tokens_out === null
        ? none
        : formatCount((tokens_in ?? 0) + (tokens_out ?? 0)),
  },
  { name: 'Redacted', width: 84, align: 'end', cell: (capture) => <Redacted {...capture} /> },
  { name: 'Status', width: 76, align: 'end', cell: ({ status }) => <Status status={status} /> },
];

function Redacted({ redactions }: Pick<Capture, 'redactions'>) {
  const { total, kinds } = redactedIn(redactions);
  return total === 0 ? none : <span title={kinds}>{formatCount(total)}</span>;
}

function Status({ status }: Pick<Capture, 'status'>) {
  if (status === null) return <Badge tone="warn">none</Badge>;
  return <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>;
}

const contentOf = ({ id }: Capture) => <CaptureContent id={id} />;

interface CapturesTableProps {
  captures: readonly Capture[];
  stale: boolean;
}

export const CapturesTable = ({ captures, stale }: CapturesTableProps) => (
  <DataTable
    label="Captures"
    columns={columns}
    rows={captures}
    rowKey={({ id }) => id}
    detail={contentOf}
    stale={stale}
  />
);
