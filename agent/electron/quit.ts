import { app } from 'electron';
import type { Log } from '#agent/node/log.ts';
import type { AgentRuntime } from '#agent/node/runtime.ts';

/**
 * The app outlives its window, and leaves only after the agent has stopped: on a signal, at
 * log-out and from the menu where that offers it.
 */
export function setupQuit(agent: AgentRuntime, log: Log): void {
  // Without a listener Electron quits with the last window.
  app.on('window-all-closed', () => {});
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => app.quit());

  let stopping = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    agent
      .stop()
      .then(() => log.info('agent stopped'))
      .catch((error: unknown) => log.error(`agent: ${String(error)}`))
      .finally(() => app.exit(0));
  });
}
