import { app } from 'electron';

/**
 * Starting the app again shows the window of the one that runs. A second process has already
 * ended by then; on a Mac there is none, the system notifies the first one.
 */
export function setupReopening(show: () => void): void {
  app.on('second-instance', show);
  app.on('activate', show);
}
