import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { systemReason } from '#profile-builder/terminal-output.ts';
import { findWriteObstacle } from '#profile-builder/write-secret-file.ts';
import { InstallerError } from './installer-error.ts';
import { removeBusyFolder } from './remove-busy-folder.ts';

/**
 * Writes a file atomically. `write` receives a new folder beside `out`, on the same disk, and
 * returns which file in it to keep. The folder is always removed afterwards.
 *
 * @throws InstallerError if the file cannot be written, or something other than a regular file
 * exists at `out`; otherwise rethrows errors of `write`
 */
export async function writeAtomically(
  out: string,
  write: (folder: string) => Promise<string>,
): Promise<void> {
  const target = resolve(out);
  const obstacle = await findWriteObstacle(target);
  if (obstacle !== null) throw new InstallerError(`${out} cannot be written: ${obstacle}`);
  const folder = await withPathInError(
    out,
    mkdtemp(join(dirname(target), `.${basename(target)}.`)),
  );
  const remove = () => removeBusyFolder(folder);
  process.once('exit', remove);
  try {
    const finished = await withPathInError(out, write(folder));
    await withPathInError(
      out,
      sync(finished).then(() => rename(finished, target)),
    );
  } finally {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true });
  }
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}

async function withPathInError<T>(out: string, work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error instanceof InstallerError || error.syscall === undefined) throw error;
    throw new InstallerError(`${out} cannot be written: ${systemReason(error)}`, { cause: error });
  });
}
