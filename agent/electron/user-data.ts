import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { openStateFolder } from '#agent/node/state/state.ts';
import { stateEntries } from '#agent/node/state/state-folder.ts';

/**
 * Makes Electron store its data in the state folder of the agent. The single-instance lock is there
 * too, so that there is one app per state folder.
 *
 * @throws Error with one line if the folder cannot be used
 */
export function setupUserData(stateDir: string): void {
  openStateFolder(stateDir);
  const folder = join(stateDir, stateEntries.electron);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath('userData', folder);
  app.setPath('sessionData', folder);
}
