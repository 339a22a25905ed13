import type { WatchOptions } from './linux.ts';
import { noWatcher, type Watcher } from './watcher.ts';

/** The watcher of this system; without one, everything is read again each time. */
export async function openWatcher(options: WatchOptions): Promise<Watcher> {
  if (process.platform === 'darwin') {
    const { watchOnDarwin } = await import('./darwin.ts');
    return watchOnDarwin(options);
  }
  // The module needs koffi, which is not available for every machine.
  const linux = await import('./linux.ts').catch(() => undefined);
  return linux?.watchOnLinux(options) ?? noWatcher;
}
