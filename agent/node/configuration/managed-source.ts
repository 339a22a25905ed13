import type { ManagedSettings } from './configuration.ts';
import type { Log } from '../log.ts';
import { type PreferencesWatcher, watchManagedPreferences } from './managed-preferences.ts';
import type { Problems } from '../status/problems.ts';

export interface ManagedSource {
  current: () => ManagedSettings | null;
  start: (onChange: (change: ManagedChange) => void) => PreferencesWatcher;
}

/** The kind of change: the control plane's address, or only the limits of the agent. */
export type ManagedChange = 'address' | 'limits';

/**
 * Provides the managed configuration in use. If the file is invalid, the last valid one stays in
 * use; if the file is removed, this device is no longer managed.
 */
export function createManagedSource(
  path: string,
  { log, problems, pollMs }: { log: Log; problems: Problems; pollMs: number | undefined },
): ManagedSource {
  let current: ManagedSettings | null = null;

  const replace = (next: ManagedSettings | null): ManagedChange => {
    const address = (managed: ManagedSettings | null): string =>
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
