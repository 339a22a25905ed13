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
/** The package is with Apple already: a line that is down for a while is no reason to give up. */
const longestOutage = 15 * minute;

/**
 * Asks, ever more rarely, until there is a verdict; says each time that there is none yet. Throws
 * InstallerError where there is none for two hours, or no answer for a quarter of an hour.
 */
export async function awaitVerdict(
  api: NotaryApi,
  id: string,
  clock: Clock,
  say: (line: string) => void,
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
