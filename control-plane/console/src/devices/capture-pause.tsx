import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Device } from '../data/device-sources.ts';
import { formatTime } from '../format.ts';
import { State } from '../parts/badge.tsx';
import { useNow } from '../parts/clock.tsx';
import { Text } from '../parts/text.tsx';
import './capture-pause.css';

type Pause = Device['capture_pause'];

/** Null once the pause has expired, even if the device has not reported that yet. */
function useActivePause(pause: Pause): Pause {
  const now = useNow();
  return pause && Date.parse(pause.ends_at) > now ? pause : null;
}

/** Who paused capture on a device, and until when. */
export function CapturePaused({ pause }: { pause: Pause }) {
  const active = useActivePause(pause);
  if (!active) return null;
  return (
    <State tone="warn">
      <Trans>
        Capture paused until {formatTime(Date.parse(active.ends_at))} by{' '}
        <Text>{active.user || t`the user`}</Text>
      </Trans>
    </State>
  );
}

/** The short form for tables. */
export function PausedUntil({ pause }: { pause: Pause }) {
  const active = useActivePause(pause);
  if (!active) return null;
  return (
    <span className="pending paused">
      <Trans>
        Paused until {formatTime(Date.parse(active.ends_at))} by <Text>{active.user}</Text>
      </Trans>
    </span>
  );
}
