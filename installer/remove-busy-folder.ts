import { renameSync, rmSync } from 'node:fs';

/**
 * Removes a folder in which other threads may still create files. After the folder is renamed, they
 * cannot find it; without this, a file that is created in the meantime would make the removal fail.
 */
export function removeBusyFolder(folder: string): void {
  const renamed = `${folder}.removed`;
  renameSync(folder, renamed);
  rmSync(renamed, { recursive: true, force: true });
}
