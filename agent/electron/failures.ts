import { app } from 'electron';
import type { Log } from '#agent/node/log.ts';

/**
 * Ends the app with one line in the log. Electron would show a dialog with a stack trace instead;
 * the service that started the app at login restarts it.
 */
export function setupFailures(log: Log): void {
  process.on('uncaughtException', (error) => leave(log, `unexpected: ${String(error)}`));
  process.on('unhandledRejection', (reason) => leave(log, `unexpected: ${String(reason)}`));
}

export function leave(log: Log, line: string): void {
  log.error(line);
  app.exit(1);
}
