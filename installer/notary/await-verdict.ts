import { InstallerError } from '../installer-error.ts';
import type { Clock } from '../remote/clock.ts';
import { PassingError } from '../remote/passing-error.ts';
import type { NotaryApi, NotaryStatus } from './notary-api.ts';

const second = 1000;
const minute = 60 * second;
const firstPause = 5 * second;
const longestPause = 30 * second;
/** Apple takes minutes, for a new team sometimes an hour. */
const patience = 120 * minute;
/** The package is already at Apple, so a temporary outage is no reason to give up. */
const longestOutage = 15 * minute;

/**
 * Polls with increasing intervals until there is a verdict, and reports each pending result. Throws
 * InstallerError without a verdict after two hours, or without any response for a quarter of an
 * hour.
 */
export async function awaitVerdict(
  api: NotaryApi,
  id: string,
  clock: Clock,
  say: (message: string) => void,
): Promise<Exclude<NotaryStatus, 'In Progress'>> {
  const start = clock.now();
  let heard = start;
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const status = await api.readStatus(id).catch((error: Error) => {
      if (!(error instanceof PassingError) || clock.now() - heard >= longestOutage) throw error;
      say(error.message);
      return null;
    });
    if (status !== null && status !== 'In Progress') return status;
    if (status !== null) heard = clock.now();
    const waited = clock.now() - start;
    if (waited >= patience) throw new InstallerError(`notarization: no verdict yet on ${id}`);
    if (status !== null) say(`notarization: in progress, ${Math.round(waited / second)} s`);
    await clock.sleep(pause);
  }
}
