import type { Managed } from './configuration.ts';
import type { Log } from './log.ts';
import { type PreferencesWatcher, watchManagedPreferences } from './managed-preferences.ts';
import type { Problems } from './problems.ts';

export interface ManagedSource {
  current: () => Managed | null;
  start: (onChange: (change: ManagedChange) => void) => PreferencesWatcher;
}

/** Does the change concern the control plane's address, or only the limits of the agent? */
export type ManagedChange = 'address' | 'limits';

/**
 * The managed configuration in use. A file that is broken leaves the last good one in use; a file
 * that is gone means that this device is no longer managed.
 */
export function createManagedSource(
  path: string,
  { log, problems, pollMs }: { log: Log; problems: Problems; pollMs: number | undefined },
): ManagedSource {
  let current: Managed | null = null;

  const replace = (next: Managed | null): ManagedChange => {
    const address = (managed: Managed | null): string =>
      `${managed?.config.api_url} ${managed?.config.api_key}`;
    const change = address(next) === address(current) ? 'limits' : 'address';
    if (next) log.addSecret(next.config.api_key);
    current = next;
    return change;
  };

  return {
    current: () => current,
    start: (onChange) =>
      watchManagedPreferences(
        path,
        (read) => {
          problems.set('managed preferences', 'error' in read ? [read.error] : read.problems);
          if ('config' in read) onChange(replace(read));
          else if (read.missing) onChange(replace(null));
        },
        pollMs,
      ),
  };
}
