import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tryOrUndefined } from '../try-or-undefined.ts';

/** Linux gives up after as many. */
const MAX_LINKS = 40;

const segments = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.');
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/**
 * Where a path leads when `root` is taken for the root: absolute links start there again and `..`
 * never leaves it. undefined if nothing is there or the links are a loop.
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
