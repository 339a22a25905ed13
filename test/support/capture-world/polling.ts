import { pollUntil } from '../processes.ts';
import { pollCommand } from './clients.ts';
import type { CaptureWorld } from './world.ts';

/** One request, as measured by the client. */
interface Attempt {
  startedAt: number;
  endedAt: number;
  status?: number;
  error?: string;
}

export interface Polling {
  /** The requests that have failed. */
  failures: () => Attempt[];
  /** The requests that took longer than this. */
  slowerThan: (maxMs: number) => Attempt[];
  /** Waits until this number of requests, started from now on, have ended. */
  waitForRequests: (attempts?: number) => Promise<void>;
  stop: () => void;
}

/**
 * Starts a client on the device that sends many requests per second to the host of a model, each
 * over a new connection.
 */
export async function startPolling(world: CaptureWorld): Promise<Polling> {
  const client = world.start(pollCommand, 'managed');
  const attempts = (): Attempt[] =>
    client
      .out()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Attempt);
  const waitForRequests = async (count = 20): Promise<void> => {
    const since = Date.now();
    await pollUntil(
      attempts,
      (all) => all.filter(({ startedAt }) => startedAt >= since).length >= count,
    );
  };
  await waitForRequests();
  return {
    failures: () => attempts().filter(({ status }) => status !== 404),
    slowerThan: (maxMs) =>
      attempts().filter(({ startedAt, endedAt }) => endedAt - startedAt > maxMs),
    waitForRequests,
    stop: client.kill,
  };
}
