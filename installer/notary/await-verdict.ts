import { InstallerError } from '../installer-error.ts';
import type { Clock } from '../remote/clock.ts';
import type { NotaryApi, NotaryStatus } from './notary-api.ts';

const second = 1000;
const minute = 60 * second;
const firstPause = 5 * second;
const longestPause = 30 * second;
/** Apple takes minutes, for a new team sometimes an hour. */
const patience = 120 * minute;

/** Asks, ever more rarely, until there is a verdict; says each time that there is none yet. */
export async function awaitVerdict(
  api: NotaryApi,
  id: string,
  clock: Clock,
  say: (line: string) => void,
): Promise<Exclude<NotaryStatus, 'In Progress'>> {
  const start = clock.now();
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const status = await api.readStatus(id);
    if (status !== 'In Progress') return status;
    const waited = clock.now() - start;
    if (waited >= patience) throw new InstallerError(`notarization: no verdict yet on ${id}`);
    say(`notarization: in progress, ${Math.round(waited / second)} s`);
    await clock.sleep(pause);
  }
}
