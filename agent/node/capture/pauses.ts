import { randomUUID } from 'node:crypto';
import {
  type Clocks,
  judgePause,
  minutesAllowed,
  type Pause,
  permittedBy,
} from '#agent/core/capture/pause.ts';
import type { CapturePause } from '#contract/capture-pauses.ts';
import type { DeviceConfig } from '#contract/device.ts';
import { createSignal, type Signal } from '../signal.ts';
import type { DeviceState } from '../state.ts';
import { readClocks } from '../uptime.ts';

export interface PausesOptions {
  state: Pick<DeviceState, 'read' | 'update'>;
  config: () => DeviceConfig | null;
  /** Who uses this device. */
  user: string;
  clocks?: () => Clocks;
}

/** Times for which the person at this device pauses capture. */
export interface Pauses {
  /** For how many minutes capture may be paused now; 0: not at all. */
  allowed: () => number;
  /** When the pause that lasts is over, in ms since 1970; null where none lasts. */
  until: () => number | null;
  /** Pauses for as long as allowed. Answers whether capture is paused now. */
  start: () => boolean;
  resume: () => void;
  /** Pauses whose end the control plane has not taken yet. */
  unreported: () => CapturePause[];
  /** It has taken these. */
  acknowledge: (pauses: readonly Pick<CapturePause, 'id' | 'ended_by'>[]) => void;
  /** Looks whether the pause that lasts is over: the configuration has changed. */
  check: () => void;
  /** One has begun or is over. */
  changed: Signal;
  /** Looks no more. A pause that lasts is judged by the next process. */
  stop: () => void;
}

/** Timers stand still while a computer sleeps: the clocks are looked at again and again. */
const LOOK_MS = 5000;

/** Of those that could not be reported yet. */
const MOST_KEPT = 200;

export function createPauses(options: PausesOptions): Pauses {
  const { state, config, user, clocks = readClocks } = options;
  const changed = createSignal();
  let timer: NodeJS.Timeout | undefined;

  const running = (): Pause | undefined => state.read().pauses.find(({ ended_by }) => !ended_by);
  const store = (pauses: Pause[]): void => {
    state.update({ pauses: pauses.slice(-MOST_KEPT) });
    check();
    changed.send();
  };
  const end = (ended_by: NonNullable<Pause['ended_by']>): void => {
    const over = { ended_by, ended_at: clocks().wall };
    store(state.read().pauses.map((one) => (one.ended_by ? one : { ...one, ...over })));
  };
  const check = (): void => {
    clearTimeout(timer);
    const pause = running();
    if (!pause) return;
    const judged = judgePause(pause, clocks(), permittedBy(config()));
    if ('ended_by' in judged) return end(judged.ended_by);
    timer = setTimeout(check, Math.min(judged.left, LOOK_MS));
    timer.unref();
  };
  const until = (): number | null => {
    const pause = running();
    if (!pause) return null;
    const now = clocks();
    const judged = judgePause(pause, now, permittedBy(config()));
    return 'left' in judged ? now.wall + judged.left : null;
  };
  const begin = (minutes: number): void => {
    const { wall, uptime } = clocks();
    const times = { started_at: wall, started_uptime: uptime, minutes };
    const pause = { id: randomUUID(), user, ...times, ended_at: null, ended_by: null };
    store([...state.read().pauses, pause]);
  };

  check();
  return {
    allowed: () => minutesAllowed(config()),
    until,
    start: () => {
      const minutes = minutesAllowed(config());
      if (until() === null && minutes > 0) begin(minutes);
      return until() !== null;
    },
    resume: () => {
      if (running()) end('person');
    },
    unreported: () => state.read().pauses.map((pause) => capturePauseOf(pause)),
    acknowledge: (reported) => {
      const isDone = ({ id, ended_by }: Pause): boolean =>
        ended_by !== null && reported.some((one) => one.id === id && one.ended_by !== null);
      const left = state.read().pauses.filter((pause) => !isDone(pause));
      if (left.length < state.read().pauses.length) state.update({ pauses: left });
    },
    check,
    changed,
    stop: () => clearTimeout(timer),
  };
}

/** Without what is for this device alone: reports are strict. */
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
