import { renameSync, rmSync } from 'node:fs';

/**
 * Removes a folder in which file operations of other threads may still be under way. Under its new
 * name they no longer find it; otherwise a file that is created meanwhile makes the removal fail.
 */
export function removeBusyFolder(folder: string): void {
  const renamed = `${folder}.removed`;
  renameSync(folder, renamed);
  rmSync(renamed, { recursive: true, force: true });
}
