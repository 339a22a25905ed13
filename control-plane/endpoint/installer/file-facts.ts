import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What tells a file, or all below a folder, from what was there before, without reading it. */
export async function stampOf(path: string): Promise<string> {
  const lines = [lineOf('.', await lstat(path))];
  for (const entry of await entriesBelow(path)) {
    lines.push(lineOf(relative(path, entry), await lstat(entry)));
  }
  return createHash('sha256').update(lines.sort().join('\0')).digest('hex');
}

async function entriesBelow(path: string): Promise<string[]> {
  if (!(await lstat(path)).isDirectory()) return [];
  const entries: string[] = [];
  for await (const { parentPath, name } of await opendir(path, { recursive: true }))
    entries.push(join(parentPath, name));
  return entries;
}

interface Facts {
  ino: number;
  mode: number;
  size: number;
  mtimeMs: number;
}

const lineOf = (name: string, { ino, mode, size, mtimeMs }: Facts): string =>
  [name, ino, mode, size, mtimeMs].join(' ');

/** SHA-256 of a file of any size, in hex. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
