import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from './places/places.ts';
import { openTree, type Tree } from './tree.ts';

const noLogin = /\/(nologin|false|sync|halt|shutdown)$/;
const firstPersonId = 1000;

/** Accounts of people, and root: system accounts have small ids and no shell. */
function readPasswd(text: string): Home[] {
  return text.split('\n').flatMap((line) => {
    const [user = '', , id = '', , , dir = '', shell = ''] = line.split(':');
    const isPerson = id === '0' || Number(id) >= firstPersonId;
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

/** Accounts of a directory service are not in passwd, but their homes are in /home. */
async function linuxHomes(tree: Tree): Promise<Home[]> {
  const content = await tree.read('/etc/passwd', 4 * 1024 * 1024);
  const text = content && 'bytes' in content ? content.bytes.toString('utf8') : '';
  return [...readPasswd(text), ...(await foldersIn(tree, '/home', ['linuxbrew', 'lost+found']))];
}

const darwinHomes = async (tree: Tree): Promise<Home[]> => [
  { user: 'root', dir: '/var/root' },
  ...(await foldersIn(tree, '/Users', ['Shared', 'Guest'])),
];

const finders = { linux: linuxHomes, darwin: darwinHomes };

const mayEnter = (path: string) =>
  access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

/** The homes of all people that this process may read, each folder once, by user name. */
export async function findHomes(
  options: { root?: string; platform?: 'linux' | 'darwin' } = {},
): Promise<Home[]> {
  const { root = '/', platform = process.platform === 'darwin' ? 'darwin' : 'linux' } = options;
  const tree = openTree(root);
  const byFolder = new Map<string, Home>();
  for (const home of await finders[platform](tree)) {
    const dir = await tree.resolve(home.dir);
    const info = dir && (await tree.stat(dir));
    if (!info || !info.isDirectory() || byFolder.has(dir)) continue;
    if (await mayEnter(join(root, dir))) byFolder.set(dir, home);
  }
  return [...byFolder.values()].toSorted((a, b) => (a.user < b.user ? -1 : 1));
}
