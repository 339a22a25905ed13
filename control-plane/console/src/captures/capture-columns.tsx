import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { Capture } from '../data/capture-sources.ts';
import { formatCount, formatExact, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { CaptureStatus } from './capture-status.tsx';
import { redactedIn } from './redacted-in.ts';

/** The columns of the list of captures. */
export const captureColumns: readonly ListColumn<Capture>[] = [
  {
    id: 'exchange',
    label: t`Exchange`,
    sort: 'host',
    cell: ({ method, host, path }) => (
      <Clipped mono text={`${host}${path}`} title={`${method} https://${host}${path}`} />
    ),
  },
  {
    id: 'app',
    label: t`App`,
    width: '12%',
    sort: 'app',
    cell: ({ app_id, process }) => <Clipped text={app_id ?? process ?? NONE} />,
  },
  {
    id: 'device',
    label: t`Device`,
    width: '14%',
    sort: 'hostname',
    cell: ({ device_id, hostname }) => (
      <Link to={`/devices/${device_id}`}>
        <Clipped text={hostname} />
      </Link>
    ),
  },
  {
    id: 'model',
    label: t`Model`,
    width: '13%',
    sort: 'model',
    cell: ({ model }) => <Clipped mono text={model ?? NONE} />,
  },
  {
    id: 'time',
    label: t`Time`,
    width: 106,
    sort: 'started_at',
    descends: true,
    cell: ({ started_at }) => <Ago at={started_at} />,
  },
  {
    id: 'tokens',
    label: t`Tokens`,
    width: 84,
    numeric: true,
    sort: 'tokens',
    descends: true,
    cell: ({ tokens_in, tokens_out }) =>
      tokens_in === null && tokens_out === null
        ? NONE
        : formatCount((tokens_in ?? 0) + (tokens_out ?? 0)),
  },
  {
    id: 'redacted',
    label: t`Redacted`,
    width: 84,
    numeric: true,
    cell: (capture) => <Redacted {...capture} />,
  },
  {
    id: 'status',
    label: t`Status`,
    width: 84,
    numeric: true,
    sort: 'status',
    descends: true,
    cell: ({ status }) => <CaptureStatus status={status} />,
  },
  {
    id: 'user',
    label: t`User`,
    sort: 'user',
    hidden: true,
    cell: ({ user }) => <Clipped text={user ?? NONE} />,
  },
  {
    id: 'time-exactly',
    label: t`Exact time`,
    hidden: true,
    cell: ({ started_at }) => <Clipped text={formatExact(Date.parse(started_at))} />,
  },
];

function Redacted({ redactions }: Pick<Capture, 'redactions'>) {
  const { total, kinds } = redactedIn(redactions);
  return total === 0 ? NONE : <span title={kinds}>{formatCount(total)}</span>;
}
