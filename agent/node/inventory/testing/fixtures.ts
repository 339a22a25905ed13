import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type FakeFile = string | Buffer | { link: string } | { text: string | Buffer; mode: number };

export interface FakeRoot extends AsyncDisposable {
  dir: string;
}

async function put(path: string, file: FakeFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (typeof file === 'string' || Buffer.isBuffer(file)) await writeFile(path, file);
  else if ('link' in file) await symlink(file.link, path);
  else {
    await writeFile(path, file.text);
    await chmod(path, file.mode);
  }
}

/**
 * Creates a file system for a test, which is removed at the end of the scope. Paths are relative to
 * its root.
 */
export async function makeRoot(files: Readonly<Record<string, FakeFile>>): Promise<FakeRoot> {
  const dir = await mkdtemp(join(tmpdir(), 'inventory-'));
  for (const [path, file] of Object.entries(files)) await put(join(dir, path), file);
  return {
    dir,
    async [Symbol.asyncDispose]() {
      await makeRemovable(dir);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Makes a folder removable: only root can delete the content of a folder without these rights. */
async function makeRemovable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await makeRemovable(join(folder, entry.name));
}

export const program = (text = '#!/bin/sh\nexit 1\n'): FakeFile => ({ text, mode: 0o755 });

/** A file that looks like a Linux program and contains the text. */
export const executable = (text: string): FakeFile => ({
  text: Buffer.from(`\u007FELF${'\u0000'.repeat(60)}${text}`, 'latin1'),
  mode: 0o755,
});

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Returns the Info.plist of an app bundle. */
export const infoPlist = (fields: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
${Object.entries(fields)
  .map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
  .join('\n')}
</dict></plist>
`;
