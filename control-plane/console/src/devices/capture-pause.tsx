import type { Device } from '../data/sources.ts';
import { formatTime } from '../format.ts';
import { State } from '../parts/badge.tsx';
import { useNow } from '../parts/clock.tsx';
import { Text } from '../parts/text.tsx';

type Pause = Device['capture_pause'];

/** Nothing of a pause that is over, of which the device may not have told yet. */
function useLasting(pause: Pause): Pause {
  const now = useNow();
  return pause && Date.parse(pause.ends_at) > now ? pause : null;
}

/** Until when the person at a device has paused capture. */
export function CapturePaused({ pause }: { pause: Pause }) {
  const lasting = useLasting(pause);
  if (!lasting) return null;
  return (
    <State tone="warn">
      Capture paused until {formatTime(Date.parse(lasting.ends_at))} by{' '}
      <Text>{lasting.user || 'the person at it'}</Text>
    </State>
  );
}

/** The same in a table. */
export function PausedUntil({ pause }: { pause: Pause }) {
  const lasting = useLasting(pause);
  if (!lasting) return null;
  return (
    <span className="pending paused">
      Paused until {formatTime(Date.parse(lasting.ends_at))} by <Text>{lasting.user}</Text>
    </span>
  );
}
