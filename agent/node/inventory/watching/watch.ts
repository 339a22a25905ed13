import type { WatchOptions } from './linux.ts';
import { noWatcher, type Watcher } from './watcher.ts';

/** What this system has for watching; where it has nothing, all is looked at again each time. */
export async function openWatcher(options: WatchOptions): Promise<Watcher> {
  if (process.platform === 'darwin') {
    const { watchOnDarwin } = await import('./darwin.ts');
    return watchOnDarwin(options);
  }
  // It needs koffi, which is not there for every machine.
  const linux = await import('./linux.ts').catch(() => undefined);
  return linux?.watchOnLinux(options) ?? noWatcher;
}
