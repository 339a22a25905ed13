import { readlinkSync } from 'node:fs';
import type { NotRead } from '#contract/fleet.ts';
import { dirname, join, resolve } from 'node:path';
import type { answersInTime } from './answers-in-time.ts';
import { isNotMounted, isOfNetwork, type Mount, mountOf } from './mounts.ts';
import { orNothing } from './or-nothing.ts';

export interface FileServers {
  /** May a folder be looked at: is it mounted, and does its server answer? So for what it links to. */
  isReachable: (dir: string) => Promise<boolean>;
  /** What does not answer. */
  notRead: () => NotRead[];
}

/** What file servers there are for this scan; each is asked once. */
export function createFileServers(
  root: string,
  mounts: readonly Mount[],
  answers: typeof answersInTime,
): FileServers {
  const asked = new Map<string, Promise<boolean>>();
  const silent = new Set<string>();

  const isMounted = async (dir: string): Promise<boolean> => {
    const mount = mountOf(mounts, dir);
    if (isNotMounted(mount)) return false;
    if (!mount || !isOfNetwork(mount)) return true;
    const answer = asked.get(mount.path) ?? answers(join(root, mount.path));
    asked.set(mount.path, answer);
    if (await answer) return true;
    silent.add(dir);
    return false;
  };

  return {
    isReachable: async (dir) => {
      if (!(await isMounted(dir))) return false;
      const target = orNothing(() => readlinkSync(join(root, dir)));
      return target === undefined || isMounted(resolve(dirname(dir), target));
    },
    notRead: () =>
      [...silent].map((dir) => ({
        kind: null,
        path: `${dir}/`,
        reason: 'its file server does not answer, not searched',
      })),
  };
}
