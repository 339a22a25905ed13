import { readlinkSync } from 'node:fs';
import { tryOrUndefined } from '../../try-or-undefined.ts';
import type { Scan } from '../platform-paths/platform-paths.ts';
import type { Tree } from '../tree.ts';
import type { RunningProcess } from './process.ts';
import { readListeners } from './proc-net.ts';

const PASSWD_LIMIT = 16 * 1024 * 1024;
const MAX_WORDS = 8;

/** Reads a link in /proc without following it: its text may not be a path. */
const linkText = (tree: Tree, path: string) =>
  tryOrUndefined(() => readlinkSync(tree.root === '/' ? path : tree.root + path));

async function usersById(tree: Tree): Promise<ReadonlyMap<string, string>> {
  const content = await tree.read('/etc/passwd', PASSWD_LIMIT);
  const text = content && 'bytes' in content ? content.bytes.toString('utf8') : '';
  const lines = text.split('\n');
  return new Map(
    lines.map((line) => {
      const [user = '', , id = ''] = line.split(':');
      return [id, user];
    }),
  );
}

/**
 * Returns the inodes of the sockets that the process has open: `/proc/<pid>/fd` links to
 * `socket:[inode]`.
 */
function socketsOf(tree: Tree, dir: string): string[] {
  return tree
    .entries(`${dir}/fd`)
    .flatMap(
      ({ name }) => /^socket:\[(\d+)\]$/.exec(linkText(tree, `${dir}/fd/${name}`) ?? '')?.[1] ?? [],
    );
}

/**
 * Removes the suffix that the kernel adds when a running program's file was replaced, as updates
 * do.
 */
const withoutDeleted = (path: string) => path.replace(/ \(deleted\)$/, '');

const isOfKernel = /^Kthread:\t1$/m;

/** Lists running processes with the sockets they listen on, from /proc alone. */
export async function listProcesses({ tree, checkpoint }: Scan): Promise<RunningProcess[]> {
  let listeners: ReturnType<typeof readListeners> | undefined;
  const users = await usersById(tree);
  const found: RunningProcess[] = [];
  for (const { name: pid } of await tree.list('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    checkpoint();
    const dir = `/proc/${pid}`;
    const status = tree.kernelText(`${dir}/status`);
    const name = /^Name:\t(.*)$/m.exec(status)?.[1];
    if (name === undefined) continue;
    // A kernel thread has no program, and a failing call is ten times as expensive.
    const path = isOfKernel.test(status) ? undefined : linkText(tree, `${dir}/exe`);
    found.push({
      name,
      path: path === undefined ? null : withoutDeleted(path),
      user: users.get(/^Uid:\t(\d+)/m.exec(status)?.[1] ?? '') ?? null,
      words: tree.kernelText(`${dir}/cmdline`).split('\0', MAX_WORDS),
      // Determined on demand: it takes the longest and is not needed for most processes.
      get listens() {
        listeners ??= readListeners(tree);
        const all = listeners;
        const inodes = all.size === 0 ? [] : socketsOf(tree, dir);
        return inodes.flatMap((inode) => all.get(inode) ?? []);
      },
    });
  }
  return found;
}
