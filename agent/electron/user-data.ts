import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { openStateFolder } from '#agent/node/state.ts';
import { stateEntries } from '#agent/node/state-folder.ts';

/**
 * Keeps what Electron writes inside the agent's own state folder. The single-instance lock lies
 * there too: there is one app per state folder, as there is one agent.
 *
 * @throws Error of one line if the folder cannot be used
 */
export function setupUserData(stateDir: string): void {
  openStateFolder(stateDir);
  const folder = join(stateDir, stateEntries.electron);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath('userData', folder);
  app.setPath('sessionData', folder);
}
