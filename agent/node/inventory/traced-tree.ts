import type { Stats } from 'node:fs';
import type { Tree } from './tree.ts';

/**
 * The largest step of file times: two seconds on FAT, milliseconds elsewhere. A second change
 * within a step does not change the times.
 */
export const MAX_CLOCK_STEP_MS = 2000;

/**
 * Whether the last change is old enough that another change would alter the times. If not, the
 * times prove nothing, and the content must be read again.
 */
export const isSettled = (info: Stats, now: number): boolean =>
  Math.max(info.mtimeMs, info.ctimeMs) <= now - MAX_CLOCK_STEP_MS;

type TreeOperation = 'list' | 'resolve' | 'stat' | 'mayOpen' | 'read';

/** A detector's reads of the tree, with fingerprints of their results. */
export interface Trace {
  /** Whether the results can be compared at all. */
  isKnown: () => boolean;
  /** Whether all reads would return the same now. */
  isUnchanged: () => Promise<boolean>;
  /** Adds the read paths to those to watch. */
  addTo: (followed: { paths: Set<string>; listed: Set<string> }) => void;
}

export interface TracedTree {
  tree: Tree;
  /** Makes the reads incomparable, so their results are not reused. */
  giveUp: () => void;
  trace: Trace;
}

/** The maximum number of stored results. */
const MAX_RESULTS = 50_000;

/** Whether the kernel generates the file on each read, without meaningful times. */
const isOfKernel = (path: string) => path.startsWith('/proc');

/**
 * A tree that records its reads, each with a fingerprint that changes whenever the result may:
 * inode, size and times of a file, inode and times of a listed folder. A fingerprint is taken
 * before the read, so that a change in between is noticed.
 */
export function traceTree(tree: Tree, now = Date.now): TracedTree {
  const fingerprints = new Map<string, string | null>();
  let isKnown = true;

  const recordFingerprint = async (operation: TreeOperation, path: string): Promise<void> => {
    if (isOfKernel(path) || fingerprints.size >= MAX_RESULTS) isKnown = false;
    const key = `${operation} ${path}`;
    if (isKnown && !fingerprints.has(key))
      fingerprints.set(key, await fingerprintOf(tree, operation, path, now()));
  };
  const traced =
    <A extends [string, ...unknown[]], T>(
      operation: TreeOperation,
      read: (...given: A) => Promise<T>,
    ) =>
    async (...args: A): Promise<T> => {
      await recordFingerprint(operation, args[0]);
      return read(...args);
    };

  const isUnchanged = async (): Promise<boolean> => {
    if (!isKnown) return false;
    for (const [key, fingerprint] of fingerprints) {
      if (fingerprint === null) return false;
      const [operation, path] = splitKey(key);
      if ((await fingerprintOf(tree, operation, path, Infinity)) !== fingerprint) return false;
    }
    return true;
  };

  return {
    tree: {
      ...tree,
      list: traced('list', tree.list),
      resolve: traced('resolve', tree.resolve),
      stat: traced('stat', tree.stat),
      mayOpen: traced('mayOpen', tree.mayOpen),
      read: traced('read', tree.read),
    },
    giveUp: () => (isKnown = false),
    trace: {
      isKnown: () => isKnown,
      isUnchanged,
      addTo: ({ paths, listed }) => {
        for (const [operation, path] of [...fingerprints.keys()].map(splitKey))
          (operation === 'list' ? listed : paths).add(path);
      },
    },
  };
}

function splitKey(key: string): [TreeOperation, string] {
  const at = key.indexOf(' ');
  return [key.slice(0, at) as TreeOperation, key.slice(at + 1)];
}

const fingerprintWithTimes = (info: Stats | undefined): string =>
  info === undefined
    ? 'nothing'
    : `${info.dev} ${info.ino} ${info.mode} ${info.uid} ${info.size} ${info.mtimeMs} ${info.ctimeMs}`;

/**
 * Fingerprints the item itself. The times and size of a folder depend on its entries, not on its
 * own existence, so they are omitted.
 */
const fingerprintOfItem = (info: Stats | undefined): string =>
  info?.isDirectory()
    ? `${info.dev} ${info.ino} ${info.mode} ${info.uid}`
    : fingerprintWithTimes(info);

/** Returns the fingerprint; null if the times prove nothing yet at `now` (ms). */
async function fingerprintOf(
  tree: Tree,
  question: TreeOperation,
  path: string,
  now: number,
): Promise<string | null> {
  if (question === 'mayOpen') return String(await tree.mayOpen(path));
  const info = await tree.stat(path);
  const needsTimes = question === 'list' || info?.isDirectory() === false;
  if (info && needsTimes && !isSettled(info, now)) return null;
  if (question === 'list') return fingerprintWithTimes(info);
  if (question === 'stat' || info === undefined) return fingerprintOfItem(info);
  if (question === 'resolve') return `${fingerprintOfItem(info)} ${await tree.resolve(path)}`;
  return `${fingerprintOfItem(info)} ${await tree.isPublic(path)}`;
}
