import { randomUUID } from 'node:crypto';
import {
  type Clocks,
  evaluatePause,
  allowedPauseMinutes,
  type Pause,
  maxPauseMinutes,
} from '#agent/core/capture/pause.ts';
import type { CapturePause } from '#contract/capture-pauses.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { createSignal, type Signal } from '../signal.ts';
import type { DeviceState } from '../state/state.ts';
import { uptime } from 'node:os';

/**
 * Reads the clocks. The uptime includes sleep and does not change when the wall clock is set: Node
 * reads the boot clock on Linux, and on macOS the boot time, which the kernel adjusts when the
 * clock is set. Unlike the process's own monotonic clock, it continues across restarts of the
 * process.
 */
export const readClocks = (): Clocks => ({ wall: Date.now(), uptime: uptime() * 1000 });

export interface PausesOptions {
  state: Pick<DeviceState, 'read' | 'tryUpdate'>;
  config: () => DeviceConfig | null;
  /** The user of this device. */
  user: string;
  clocks?: () => Clocks;
}

/** The pauses of capture by the user of this device. */
export interface Pauses {
  /** Returns the number of minutes for which capture may be paused now; 0: not at all. */
  allowedMinutes: () => number;
  /** Returns the end of the active pause, in ms since 1970; null if there is none. */
  until: () => number | null;
  /** Pauses for as long as allowed. Returns whether capture is now paused. */
  start: () => boolean;
  resume: () => void;
  /** Returns the pauses whose end the control plane has not acknowledged yet. */
  unreported: () => CapturePause[];
  /** Called when the control plane has received these pauses. */
  acknowledge: (pauses: readonly Pick<CapturePause, 'id' | 'ended_by'>[]) => void;
  /** Checks whether a configuration change has ended the active pause. */
  check: () => void;
  /** Emits when a pause begins or ends. */
  changed: Signal;
  /** Stops the timer. An active pause stays stored for the next process. */
  stop: () => void;
}

/** Timers stop during sleep, so the clocks are polled. */
const POLL_MS = 5000;

/** The maximum number of unreported pauses. */
const MAX_STORED = 200;

export function createPauses(options: PausesOptions): Pauses {
  const { state, config, user, clocks = readClocks } = options;
  const changed = createSignal();
  let timer: NodeJS.Timeout | undefined;

  const activePause = (): Pause | undefined =>
    state.read().pauses.find(({ ended_by }) => !ended_by);
  const store = (pauses: Pause[]): void => {
    // A pause begins and ends even if the disk is full.
    state.tryUpdate({ pauses: pauses.slice(-MAX_STORED) });
    check();
    changed.emit();
  };
  const end = (ended_by: NonNullable<Pause['ended_by']>): void => {
    const over = { ended_by, ended_at: clocks().wall };
    store(state.read().pauses.map((one) => (one.ended_by ? one : { ...one, ...over })));
  };
  const check = (): void => {
    clearTimeout(timer);
    const pause = activePause();
    if (!pause) return;
    const status = evaluatePause(pause, clocks(), maxPauseMinutes(config()));
    if ('ended_by' in status) return end(status.ended_by);
    timer = setTimeout(check, Math.min(status.remainingMs, POLL_MS));
    timer.unref();
  };
  const until = (): number | null => {
    const pause = activePause();
    if (!pause) return null;
    const now = clocks();
    const status = evaluatePause(pause, now, maxPauseMinutes(config()));
    return 'remainingMs' in status ? now.wall + status.remainingMs : null;
  };
  const begin = (minutes: number): void => {
    const { wall, uptime } = clocks();
    const times = { started_at: wall, started_uptime: uptime, minutes };
    const pause = { id: randomUUID(), user, ...times, ended_at: null, ended_by: null };
    store([...state.read().pauses, pause]);
  };

  check();
  return {
    allowedMinutes: () => allowedPauseMinutes(config()),
    until,
    start: () => {
      const minutes = allowedPauseMinutes(config());
      if (until() === null && minutes > 0) begin(minutes);
      return until() !== null;
    },
    resume: () => {
      if (activePause()) end('person');
    },
    unreported: () => state.read().pauses.map((pause) => capturePauseOf(pause)),
    acknowledge: (reported) => {
      const isAcknowledged = ({ id, ended_by }: Pause): boolean =>
        ended_by !== null && reported.some((one) => one.id === id && one.ended_by !== null);
      const remaining = state.read().pauses.filter((pause) => !isAcknowledged(pause));
      if (remaining.length < state.read().pauses.length) state.tryUpdate({ pauses: remaining });
    },
    check,
    changed,
    stop: () => clearTimeout(timer),
  };
}

/** Drops local members, because the schema of reports is strict. */
function capturePauseOf({
  id,
  user,
  started_at,
  minutes,
  ended_at,
  ended_by,
}: Pause): CapturePause {
  return { id, user, started_at, minutes, ended_at, ended_by };
}
