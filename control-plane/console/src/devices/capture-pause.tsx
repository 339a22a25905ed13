import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Device, DeviceDetail } from '../data/device-sources.ts';
import { formatTime, formatExact, NONE } from '../format.ts';
import { State, Clipped } from '../parts/badge.tsx';
import { useNow, Elapsed } from '../parts/clock.tsx';
import { Text } from '../parts/text.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import './capture-pause.css';

type Pause = Device['capture_pause'];

/** Returns null once the pause has expired, even if the device has not reported that yet. */
function useActivePause(pause: Pause): Pause {
  const now = useNow();
  return pause && Date.parse(pause.ends_at) > now ? pause : null;
}

/** Shows who paused capture on a device, and until when. */
export function CapturePaused({ pause }: { pause: Pause }) {
  const active = useActivePause(pause);
  if (!active) return null;
  return (
    <State tone="warn">
      {/* One element: the state separates its children. */}
      <span className="paused">
        <Trans>
          Capture paused until {formatTime(Date.parse(active.ends_at))} by{' '}
          <Text>{active.user || t`the user`}</Text>
        </Trans>
      </span>
    </State>
  );
}

/** The short form of a pause for tables. */
export function PausedUntil({ pause }: { pause: Pause }) {
  const active = useActivePause(pause);
  if (!active) return null;
  return (
    <span className="pending paused">
      <Trans>
        Paused until {formatTime(Date.parse(active.ends_at))} by{' '}
        <Text>{active.user || t`the user`}</Text>
      </Trans>
    </span>
  );
}

type PastPause = DeviceDetail['pauses'][number];

const ends: Record<NonNullable<PastPause['ended_by']>, string> = {
  time: t`Expired`,
  person: t`Resumed by the user`,
  permission: t`Permission withdrawn`,
  clock: t`Computer restarted or clock changed`,
};

const columns: Column<PastPause>[] = [
  { name: t`From`, cell: ({ started_at }) => formatExact(Date.parse(started_at)) },
  { name: t`Until`, cell: ({ ended_at, ends_at }) => formatExact(Date.parse(ended_at ?? ends_at)) },
  {
    name: t`Duration`,
    width: 110,
    cell: ({ started_at, ended_at, ends_at }) => (
      <Elapsed from={started_at} to={earlier(ended_at, ends_at)} />
    ),
  },
  { name: t`By`, width: '18%', cell: ({ user }) => <Clipped text={user || NONE} /> },
  { name: t`Ended by`, cell: (pause) => endOf(pause) },
];

/** Table of the times when the user of the device paused capture. */
export const PausesList = ({ pauses }: { pauses: readonly PastPause[] }) => (
  <DataTable label={t`Capture pauses`} columns={columns} rows={pauses} rowKey={({ id }) => id} />
);

/** The end of a pause, reported or expired; null while it is active. */
const earlier = (ended_at: string | null, ends_at: string): string | null =>
  ended_at ?? (Date.parse(ends_at) <= Date.now() ? ends_at : null);

function endOf({ ended_by, ended_at, ends_at }: PastPause): string {
  if (ended_by) return ends[ended_by];
  return earlier(ended_at, ends_at) === null ? t`Active` : t`Not reported`;
}
