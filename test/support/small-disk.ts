import { spawnSync } from 'node:child_process';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './processes.ts';

/** A command for `run` that gives a program a small disk of its own in this folder. */
export const onSmallDisk = (folder: string, megabytes: number): string[] => [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m none '${folder}' && exec "$@"`,
  'sh',
];

export const canMakeDisks = (): boolean =>
  process.platform === 'linux' &&
  spawnSync('unshare', [
    '--user',
    '--map-root-user',
    '--mount',
    'mount',
    '-t',
    'tmpfs',
    'none',
    '/mnt',
  ]).status === 0;

export interface FullDisk {
  /** Fills it up to so many bytes. */
  leave(bytes: number): void;
  empty(): void;
}

/** Fills the disk in this folder, as the program sees it. */
export function fillDisk({ child }: Program, folder: string): FullDisk {
  const file = join(`/proc/${child.pid}/root`, folder, 'filler');
  return {
    leave(bytes) {
      for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2))
        while (append(file, size));
      truncateSync(file, statSync(file).size - bytes);
    },
    empty: () => rmSync(file),
  };
}

function append(file: string, size: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
