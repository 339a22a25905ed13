import type { Stats } from 'node:fs';
import type { Tree } from './tree.ts';

/** Files whose finder is a user: what he may not read himself must not be reported as his. */
interface Area {
  /** Ends with a slash. */
  prefix: string;
  uid: number;
}

export interface GuardedTree {
  tree: Tree;
  /** Takes these homes, with their present owners, and forgets what it has refused. */
  protect: (homes: readonly { dir: string }[]) => Promise<void>;
  /** Existing paths that were refused since `protect`. */
  refused: () => ReadonlySet<string>;
}

const ROOT = 0;
export const PRIVATE = 'is a private file of another user, not read';

/**
 * A tree that reads in a home only what its user could read, too: files and folders that belong to
 * the user, and those that everybody may read and that are in folders which the user or everybody
 * may pass. Symbolic and hard links would otherwise make the agent, which runs as root, report
 * private files of one user as those of another. Permissions of groups and access control lists do
 * not count.
 */
export function guardTree(tree: Tree): GuardedTree {
  let areas: Area[] = [];
  let refused = new Set<string>();
  const uidOf = (path: string): number | undefined =>
    areas.find(({ prefix }) => `${path}/`.startsWith(prefix))?.uid;

  const isAllowed = async (path: string, info: Stats | undefined): Promise<boolean> => {
    const uid = uidOf(path);
    if (uid === undefined || info === undefined || info.uid === uid) return true;
    if (await tree.isReadableBy(path, uid)) return true;
    refused.add(path);
    return false;
  };
  const mayRead = async (path: string): Promise<boolean> =>
    uidOf(path) === undefined || isAllowed(path, await tree.stat(path));

  /** Detectors also read next to the target of a link, where the user may have made other links. */
  const addAreaAround = async (target: string, uid: number): Promise<void> => {
    const parts = target.split('/').slice(1, -1);
    for (let count = 1; count <= parts.length; count += 1) {
      const dir = `/${parts.slice(0, count).join('/')}`;
      const owner = (await tree.stat(dir))?.uid;
      if (owner === uid) areas.push({ prefix: `${dir}/`, uid });
      if (owner !== ROOT) return;
    }
  };

  return {
    protect: async (homes) => {
      refused = new Set();
      areas = [];
      for (const { dir } of homes) {
        const uid = (await tree.stat(dir))?.uid;
        const real = await tree.resolve(dir);
        // Root may read everything.
        if (uid === undefined || uid === ROOT) continue;
        for (const path of new Set([dir, real ?? dir])) areas.push({ prefix: `${path}/`, uid });
      }
    },
    refused: () => refused,
    tree: {
      ...tree,
      list: async (dir) => ((await mayRead(dir)) ? tree.list(dir) : []),
      stat: async (path) => {
        const info = await tree.stat(path);
        return (await isAllowed(path, info)) ? info : undefined;
      },
      mayOpen: async (path) => (await mayRead(path)) && tree.mayOpen(path),
      read: async (path, limit, end) =>
        (await mayRead(path)) ? tree.read(path, limit, end) : { error: PRIVATE },
      resolve: async (path) => {
        const [uid, target] = [uidOf(path), await tree.resolve(path)];
        if (uid === undefined || target === undefined || uidOf(target) === uid) return target;
        if (!(await mayRead(path))) return undefined;
        await addAreaAround(target, uid);
        return target;
      },
    },
  };
}
