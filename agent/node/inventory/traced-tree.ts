import type { Stats } from 'node:fs';
import type { Tree } from './tree.ts';

/**
 * File systems keep times in steps of up to two seconds (FAT), most of some milliseconds: what is
 * changed again within a step has the same times as before.
 */
export const MAX_CLOCK_STEP_MS = 2000;

/**
 * Was the last change so long before `now` (ms) that a further one gives other times? If not, the
 * times say nothing: what was read together with them has to be read again.
 */
export const isSettled = (info: Stats, now: number): boolean =>
  Math.max(info.mtimeMs, info.ctimeMs) <= now - MAX_CLOCK_STEP_MS;

type TreeOperation = 'list' | 'resolve' | 'stat' | 'mayOpen' | 'read';

/** What a detector asked the tree, and by which each answer can be known to be the same. */
export interface Trace {
  /** Can the same answers be recognised at all? */
  isKnown: () => boolean;
  /** Says whether all answers would be the same now. */
  isStillTrue: () => Promise<boolean>;
  /** Adds what was asked to what is worth watching. */
  addTo: (followed: { paths: Set<string>; listed: Set<string> }) => void;
}

export interface TracedTree {
  tree: Tree;
  /** This cannot be known: the answers are not to be used again. */
  giveUp: () => void;
  trace: Trace;
}

/** More than that is not worth remembering. */
const MAX_RESULTS = 50_000;

/** Made by the kernel when it is read, without times that say anything. */
const isOfKernel = (path: string) => path.startsWith('/proc');

/**
 * A tree that notes what it is asked. For each answer it keeps a mark, a text that is another one
 * when the answer might be: inode, size and times of a file, inode and times of a folder that was
 * listed. Marks are taken before the answer, so that a change in between shows.
 */
export function traceTree(tree: Tree, now = Date.now): TracedTree {
  const marks = new Map<string, string | null>();
  let isKnown = true;

  const note = async (question: TreeOperation, path: string): Promise<void> => {
    if (isOfKernel(path) || marks.size >= MAX_RESULTS) isKnown = false;
    const key = `${question} ${path}`;
    if (isKnown && !marks.has(key))
      marks.set(key, await fingerprintOf(tree, question, path, now()));
  };
  const noted =
    <A extends [string, ...unknown[]], T>(
      question: TreeOperation,
      ask: (...given: A) => Promise<T>,
    ) =>
    async (...given: A): Promise<T> => {
      await note(question, given[0]);
      return ask(...given);
    };

  const isStillTrue = async (): Promise<boolean> => {
    if (!isKnown) return false;
    for (const [key, mark] of marks) {
      if (mark === null) return false;
      const [question, path] = split(key);
      if ((await fingerprintOf(tree, question, path, Infinity)) !== mark) return false;
    }
    return true;
  };

  return {
    tree: {
      ...tree,
      list: noted('list', tree.list),
      resolve: noted('resolve', tree.resolve),
      stat: noted('stat', tree.stat),
      mayOpen: noted('mayOpen', tree.mayOpen),
      read: noted('read', tree.read),
    },
    giveUp: () => (isKnown = false),
    trace: {
      isKnown: () => isKnown,
      isStillTrue,
      addTo: ({ paths, listed }) => {
        for (const [question, path] of [...marks.keys()].map(split))
          (question === 'list' ? listed : paths).add(path);
      },
    },
  };
}

function split(key: string): [TreeOperation, string] {
  const at = key.indexOf(' ');
  return [key.slice(0, at) as TreeOperation, key.slice(at + 1)];
}

const withTimes = (info: Stats | undefined): string =>
  info === undefined
    ? 'nothing'
    : `${info.dev} ${info.ino} ${info.mode} ${info.uid} ${info.size} ${info.mtimeMs} ${info.ctimeMs}`;

/** Of a folder, times and size are those of its entries: whether it is there does not depend on them. */
const ofOneThing = (info: Stats | undefined): string =>
  info?.isDirectory() ? `${info.dev} ${info.ino} ${info.mode} ${info.uid}` : withTimes(info);

/** null where the times say nothing yet, as of `now` in ms. */
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
  if (question === 'list') return withTimes(info);
  if (question === 'stat' || info === undefined) return ofOneThing(info);
  if (question === 'resolve') return `${ofOneThing(info)} ${await tree.resolve(path)}`;
  return `${ofOneThing(info)} ${await tree.isPublic(path)}`;
}
