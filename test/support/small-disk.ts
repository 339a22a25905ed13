import { spawnSync } from 'node:child_process';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './processes.ts';

/** The prefix of a command that runs with a small disk mounted at this folder, for `startProgram`. */
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

export interface DiskFiller {
  /** Fills the disk until this number of bytes is free. */
  fillExcept(bytes: number): void;
  empty(): void;
}

/** Fills the disk of a program. */
export function createDiskFiller({ child }: Program, folder: string): DiskFiller {
  const file = join(`/proc/${child.pid}/root`, folder, 'filler');
  return {
    fillExcept(bytes) {
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
