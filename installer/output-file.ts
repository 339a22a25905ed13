import { rmSync } from 'node:fs';
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InstallerError } from './installer-error.ts';

/**
 * Writes a file in whole or not at all. `write` gets a new folder beside `out`, on the same disk,
 * and answers which file in it to keep. Whatever happens, the folder is gone afterwards. Throws
 * InstallerError if the system does not let the file be written, else what `write` throws.
 */
export async function writeWhole(
  out: string,
  write: (folder: string) => Promise<string>,
): Promise<void> {
  const place = resolve(out);
  const folder = await writing(out, makeFolder(place));
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

async function makeFolder(place: string): Promise<string> {
  const there = await stat(place).catch(() => null);
  if (there?.isDirectory()) throw new InstallerError(`${place}: is a folder, expected a file name`);
  return mkdtemp(join(dirname(place), `.${basename(place)}.`));
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}

async function writing<T>(out: string, work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error instanceof InstallerError || error.syscall === undefined) throw error;
    throw new InstallerError(`${out} cannot be written: ${error.message}`, { cause: error });
  });
}
