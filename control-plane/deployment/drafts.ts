import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'build-';
/** Longer than any build takes. */
const LEFT_BEHIND_MS = 60 * 60 * 1000;

/**
 * Runs work in a temporary folder, which is removed afterwards, also when this process exits
 * meanwhile.
 */
export async function inDraft<T>(folder: string, work: (draft: string) => Promise<T>): Promise<T> {
  const draft = await mkdtemp(join(folder, PREFIX));
  const clear = () => rmSync(draft, { recursive: true, force: true });
  process.once('exit', clear);
  try {
    return await work(draft);
  } finally {
    process.off('exit', clear);
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Removes temporary folders of killed processes. Recent ones may belong to another process that is
 * building.
 */
export async function clearDrafts(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
  for (const draft of names.map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(draft, { recursive: true, force: true });
  }
}
