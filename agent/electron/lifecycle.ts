import { app } from 'electron';
import type { Log } from '#agent/node/log.ts';
import type { AgentRuntime } from '#agent/node/start-agent.ts';

/**
 * Keeps the app running without a window. On a signal, at log-out or from the menu, the app stops the
 * agent before it ends.
 */
export function setupQuit(agent: AgentRuntime, log: Log): void {
  // Without a listener, Electron quits when the last window is closed.
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
 * Shows the window when the app is started while it is running. On Linux, a second process has then
 * failed to get the lock and ended; macOS starts none and activates the running app.
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
