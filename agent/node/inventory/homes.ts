import { accessSync, constants, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { NotRead } from '#contract/inventory.ts';
import { createFileServers, type FileServers, isResponsive } from './file-servers.ts';
import { listMounts, mayBeUnresponsive, type Mount } from './mounts.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';
import type { Home } from './platform-paths/platform-paths.ts';
import { openTree, type Tree } from './tree.ts';

const noLogin = /\/(nologin|false|sync|halt|shutdown)$/;
const FIRST_PERSON_ID = 1000;

/** User accounts and root. System accounts have small ids and no shell. */
function readPasswd(text: string): Home[] {
  return text.split('\n').flatMap((line) => {
    const [user = '', , id = '', , , dir = '', shell = ''] = line.split(':');
    const isPerson = id === '0' || Number(id) >= FIRST_PERSON_ID;
    return user && dir.startsWith('/') && dir !== '/' && isPerson && !noLogin.test(shell)
      ? [{ user, dir }]
      : [];
  });
}

async function foldersIn(tree: Tree, dir: string, ignored: readonly string[]): Promise<Home[]> {
  const items = await tree.list(dir);
  return items
    .filter((item) => item.kind === 'directory' && !item.name.startsWith('.'))
    .filter((item) => !ignored.includes(item.name))
    .map((item) => ({ user: item.name, dir: `${dir}/${item.name}` }));
}

/**
 * Returns the homes on Linux. Accounts of a directory service are not in passwd, but their homes
 * are in /home.
 */
async function linuxHomes(tree: Tree, isReachable: FileServers['isReachable']): Promise<Home[]> {
  const content = await tree.read('/etc/passwd', 4 * 1024 * 1024);
  const text = content && 'bytes' in content ? content.bytes.toString('utf8') : '';
  const ignored = ['linuxbrew', 'lost+found'];
  const others = (await isReachable('/home')) ? await foldersIn(tree, '/home', ignored) : [];
  return [...readPasswd(text), ...others];
}

const darwinHomes = async (tree: Tree): Promise<Home[]> => [
  { user: 'root', dir: '/var/root' },
  ...(await foldersIn(tree, '/Users', ['Shared', 'Guest'])),
];

const system = process.platform === 'darwin' ? 'darwin' : 'linux';
const finders = { linux: linuxHomes, darwin: darwinHomes };

const isAccessible = (path: string) =>
  tryOrUndefined(() => {
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  }) ?? false;

const defaults = {
  root: '/',
  platform: system,
  uid: process.getuid?.() ?? 0,
  probe: isResponsive,
} as const;

/** Root scans every home, other users only their own. */
const isHomeFor = (uid: number, info: Stats | undefined): boolean =>
  info?.isDirectory() === true && (uid === 0 || info.uid === uid);

export interface Homes {
  homes: Home[];
  /** Mount points of file systems that may not respond. */
  remoteMounts: ReadonlySet<string>;
  /** Homes that were skipped, one line each. */
  problems: string[];
  notRead: NotRead[];
}

export interface HomesOptions {
  root?: string;
  platform?: 'linux' | 'darwin';
  /** The user id of this process. */
  uid?: number;
  mounts?: readonly Mount[];
  probe?: typeof isResponsive;
}

/**
 * Finds the homes of all users for root, else only the user's own; each folder once, by user name.
 * The search mounts nothing and does not wait for unresponsive file servers.
 */
export async function findHomes(options: HomesOptions = {}): Promise<Homes> {
  const { root, platform, uid, probe } = { ...defaults, ...options };
  const mounts = options.mounts ?? (root === '/' ? await listMounts() : []);
  const tree = openTree(root);
  const servers = createFileServers(root, mounts, probe);

  const byFolder = new Map<string, Home>();
  for (const home of await finders[platform](tree, servers.isReachable)) {
    if (!(await servers.isReachable(home.dir))) continue;
    const dir = await tree.resolve(home.dir);
    const info = dir === undefined ? undefined : await tree.stat(dir);
    if (dir === undefined || byFolder.has(dir) || !isHomeFor(uid, info)) continue;
    if (isAccessible(join(root, dir))) byFolder.set(dir, home);
  }
  const notRead = servers.notRead();
  return {
    homes: [...byFolder.values()].toSorted((a, b) => (a.user < b.user ? -1 : 1)),
    remoteMounts: new Set(mounts.filter(mayBeUnresponsive).map(({ path }) => path)),
    problems: notRead.map(({ path, reason }) => `${path?.slice(0, -1)}: ${reason}`),
    notRead,
  };
}
