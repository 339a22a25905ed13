import type { FSWatcher } from 'node:fs';
import { watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readManagedConfig } from '#agent/core/managed-config.ts';
import type { ManagedConfig } from '#contract/deployment.ts';
import { errnoOf } from '../state/atomic-file.ts';
import { startLoop } from '#lib/loop.ts';
import { parsePlist } from './parse-plist.ts';

export type ManagedPreferences =
  | { config: ManagedConfig; problems: string[] }
  | { error: string; missing: boolean };

const MAX_BYTES = 1024 * 1024;

/** Reads the managed preferences. Each problem line names the file and the invalid key. */
export async function readManagedPreferences(path: string): Promise<ManagedPreferences> {
  const withPath = (line: string): string => `${path}: ${line}`;
  try {
    const result = readManagedConfig(parsePlist(await readBounded(path)));
    if ('error' in result) return { error: withPath(result.error), missing: false };
    return { config: result.config, problems: result.problems.map(withPath) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return { error: withPath('no such file yet'), missing: true };
    const reason = code ? `cannot be read: ${code}` : (error as Error).message;
    return { error: withPath(reason), missing: false };
  }
}

export interface PreferencesWatcher {
  stop(): Promise<void>;
}

/**
 * Reports the managed preferences, now and on every change. The file and its folder need not exist
 * yet. The system replaces the whole file, so the folder is watched; not every file system sends
 * events, so the file is also polled every `pollMs`.
 */
export function watchManagedPreferences(
  path: string,
  onChange: (preferences: ManagedPreferences) => void,
  pollMs = 5000,
): PreferencesWatcher {
  let lastText = '';
  let folder: FSWatcher | undefined;
  const loop = startLoop(async () => {
    folder ??= watchFolder(path, onFolderChange, () => (folder = undefined));
    const preferences = await readManagedPreferences(path);
    const text = JSON.stringify(preferences);
    if (text !== lastText) onChange(preferences);
    lastText = text;
    return pollMs;
  });
  const onFolderChange = (): void => loop.runNow();
  return {
    stop: async () => {
      await loop.stop();
      folder?.close();
    },
  };
}

function watchFolder(
  path: string,
  onChange: () => void,
  onGone: () => void,
): FSWatcher | undefined {
  try {
    const name = basename(path);
    const watcher = watch(dirname(path), (_, changed) => {
      if (changed === null || changed === name) onChange();
      // The folder itself was moved or removed, so the watched folder is no longer at this path.
      else if (changed === basename(dirname(path))) close();
    });
    const close = (): void => {
      watcher.close();
      onGone();
    };
    return watcher.on('error', close);
  } catch {
    return undefined;
  }
}

async function readBounded(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
