import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tryOrUndefined } from '../try-or-undefined.ts';

/** The maximum number of links, the same as on Linux. */
const MAX_LINKS = 40;

const segments = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.');
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/**
 * Resolves a path with `root` as the root folder: absolute links start at it and `..` never leaves
 * it. Returns undefined if the path does not exist or the links form a loop.
 */
export function followLinks(root: string, path: string): string | undefined {
  let pending = segments(path);
  let done = '';
  for (let links = 0; pending.length > 0;) {
    const [next = '', ...rest] = pending;
    pending = rest;
    if (next === '..') {
      done = parentOf(done);
      continue;
    }
    const here = join(root, done, next);
    const info = tryOrUndefined(() => lstatSync(here, { throwIfNoEntry: false }));
    if (!info) return undefined;
    if (!info.isSymbolicLink()) {
      done = `${done}/${next}`;
      continue;
    }
    if (++links > MAX_LINKS) return undefined;
    const target = tryOrUndefined(() => readlinkSync(here)) ?? '';
    if (target.startsWith('/')) done = '';
    pending = [...segments(target), ...pending];
  }
  return done || '/';
}
