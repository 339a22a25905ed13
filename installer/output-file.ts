import { rmSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { systemReason } from '#profile-builder/error-line.ts';
import { obstacleAt } from '#profile-builder/file-kind.ts';
import { InstallerError } from './installer-error.ts';

/**
 * Writes a file in whole or not at all. `write` gets a new folder beside `out`, on the same disk,
 * and answers which file in it to keep. Whatever happens, the folder is gone afterwards. Throws
 * InstallerError if the system does not let the file be written, or something else than a file is
 * there already, else what `write` throws.
 */
export async function writeWhole(
  out: string,
  write: (folder: string) => Promise<string>,
): Promise<void> {
  const place = resolve(out);
  const obstacle = await obstacleAt(place);
  if (obstacle !== null) throw new InstallerError(`${out} cannot be written: ${obstacle}`);
  const folder = await writing(out, mkdtemp(join(dirname(place), `.${basename(place)}.`)));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const finished = await writing(out, write(folder));
    await writing(
      out,
      sync(finished).then(() => rename(finished, place)),
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

async function writing<T>(out: string, work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error instanceof InstallerError || error.syscall === undefined) throw error;
    throw new InstallerError(`${out} cannot be written: ${systemReason(error)}`, { cause: error });
  });
}
