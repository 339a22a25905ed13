import { readlinkSync } from 'node:fs';
import type { NotRead } from '#contract/inventory.ts';
import { dirname, join, resolve } from 'node:path';
import { isNetworkMount, isNotMounted, type Mount, mountOf } from './mounts.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';
import { spawn } from 'node:child_process';

/**
 * Whether the file system of a folder responds. Checked in a child process, because a process that
 * waits for an unreachable file server blocks forever and cannot be killed. Never rejects.
 */
export function isResponsive(
  dir: string,
  timeoutMs = 5000,
  [program = '/bin/ls', ...options]: readonly string[] = ['/bin/ls', '-d'],
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...options, `${dir}/.`], { stdio: 'ignore' });
    child.unref();
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(false);
    }, timeoutMs);
    const finish = (isReachable: boolean): void => {
      clearTimeout(timer);
      resolve(isReachable);
    };
    child.on('exit', (code) => finish(code !== null));
    child.on('error', () => finish(false));
  });
}

export interface FileServers {
  /** Whether a folder, and what it links to, is mounted and its server responds. */
  isReachable: (dir: string) => Promise<boolean>;
  /** Folders that do not respond. */
  notRead: () => NotRead[];
}

/** The file servers of one scan; each is checked once. */
export function createFileServers(
  root: string,
  mounts: readonly Mount[],
  probe: typeof isResponsive,
): FileServers {
  const probes = new Map<string, Promise<boolean>>();
  const unresponsiveDirs = new Set<string>();

  const isMounted = async (dir: string): Promise<boolean> => {
    const mount = mountOf(mounts, dir);
    if (isNotMounted(mount)) return false;
    if (!mount || !isNetworkMount(mount)) return true;
    const isResponding = probes.get(mount.path) ?? probe(join(root, mount.path));
    probes.set(mount.path, isResponding);
    if (await isResponding) return true;
    unresponsiveDirs.add(dir);
    return false;
  };

  return {
    isReachable: async (dir) => {
      if (!(await isMounted(dir))) return false;
      const target = tryOrUndefined(() => readlinkSync(join(root, dir)));
      return target === undefined || isMounted(resolve(dirname(dir), target));
    },
    notRead: () =>
      [...unresponsiveDirs].map((dir) => ({
        kind: null,
        path: `${dir}/`,
        reason: 'its file server does not respond, not searched',
      })),
  };
}
