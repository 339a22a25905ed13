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

/**
 * Starting the app again shows the window of the one that runs. A second process has already
 * ended by then; on a Mac there is none, the system notifies the first one.
 */
export function setupReopening(show: () => void): void {
  app.on('second-instance', show);
  app.on('activate', show);
}

/**
 * Ends the app with one line in the log. Electron would show a dialog with a stack trace instead;
 * the service that started the app at login restarts it.
 */
export function setupFailures(log: Log): void {
  process.on('uncaughtException', (error) => exitWithError(log, `unexpected: ${String(error)}`));
  process.on('unhandledRejection', (reason) => exitWithError(log, `unexpected: ${String(reason)}`));
}

export function exitWithError(log: Log, line: string): void {
  log.error(line);
  app.exit(1);
}
