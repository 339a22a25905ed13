import { eventually } from '../processes.ts';
import { poll } from './clients.ts';
import type { CaptureWorld } from './world.ts';

/** One request of a client, as it measured it. */
interface Attempt {
  startedAt: number;
  endedAt: number;
  status?: number;
  error?: string;
}

export interface Polling {
  /** What failed since it began. */
  failures: () => Attempt[];
  /** What took longer than this. */
  slow: (maxMs: number) => Attempt[];
  /** Waits until so many attempts that were started from now on are over. */
  goesOn: (attempts?: number) => Promise<void>;
  end: () => void;
}

/** A client on the device that asks a model's host many times a second, over new connections. */
export async function startPolling(world: CaptureWorld): Promise<Polling> {
  const client = world.start(poll, 'managed');
  const attempts = (): Attempt[] =>
    client
      .out()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Attempt);
  const goesOn = async (count = 20): Promise<void> => {
    const since = Date.now();
    await eventually(
      attempts,
      (all) => all.filter(({ startedAt }) => startedAt >= since).length >= count,
    );
  };
  await goesOn();
  return {
    failures: () => attempts().filter(({ status }) => status !== 404),
    slow: (maxMs) => attempts().filter(({ startedAt, endedAt }) => endedAt - startedAt > maxMs),
    goesOn,
    end: client.kill,
  };
}
