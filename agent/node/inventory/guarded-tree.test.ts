import { chmodSync, lchownSync, linkSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guardTree } from './guarded-tree.ts';
import { json, makeRoot, type FakeFile } from './testing/fixtures.ts';
import { createScanner } from './scanner.ts';
import { openTree } from './tree.ts';

const ADA = 4001;
const BOB = 4002;
const isRoot = process.getuid?.() === 0;

/** Only links themselves change owner, not their targets. */
function giveTo(uid: number, path: string): void {
  lchownSync(path, uid, uid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(uid, join(path, name));
}

/** A machine with the homes of two users, and folders of both elsewhere. */
async function makeMachine(files: Record<string, FakeFile>) {
  const root = await makeRoot({
    '/home/ada/own': 'text',
    '/home/bob/own': { text: 'text', mode: 0o600 },
    '/data/ada/own': { text: 'text', mode: 0o600 },
    '/data/bob/own': { text: 'text', mode: 0o600 },
    '/opt/tool/file': 'text',
    '/opt/private/file': { text: 'text', mode: 0o600 },
    ...files,
  });
  const inRoot = (path: string): string => join(root.dir, path);
  for (const path of ['/home/ada', '/data/ada']) giveTo(ADA, inRoot(path));
  for (const path of ['/home/bob', '/data/bob']) giveTo(BOB, inRoot(path));
  const homes = [
    { user: 'ada', dir: '/home/ada' },
    { user: 'bob', dir: '/home/bob' },
  ];
  return {
    inRoot,
    homes,
    tree: async () => {
      const guard = guardTree(openTree(root.dir));
      await guard.protect(homes);
      return guard.tree;
    },
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  };
}

test.runIf(isRoot).each<[string, string, string | undefined]>([
  ['an own file elsewhere', '/data/ada/own', 'text'],
  ['a public file of root', '/opt/tool/file', 'text'],
  ['a private file of root', '/opt/private/file', undefined],
  ['a private file in a home', '/home/bob/own', undefined],
  ['a private file elsewhere', '/data/bob/own', undefined],
])('a link in a home to %s', async (_, link, expected) => {
  await using machine = await makeMachine({ '/home/ada/link': { link } });
  const tree = await machine.tree();
  const content = await tree.read('/home/ada/link', 100);
  const error = 'is a private file of another user, not read';
  expect(content).toMatchObject(
    expected === undefined ? { error } : { bytes: Buffer.from(expected) },
  );
  expect((await tree.stat('/home/ada/link')) !== undefined).toBe(expected !== undefined);
  expect(await tree.mayOpen('/home/ada/link')).toBe(expected !== undefined);
  expect(await tree.resolve('/home/ada/link')).toBe(expected && link);
});

test.runIf(isRoot)('a linked folder is listed only if its user may list it', async () => {
  await using machine = await makeMachine({
    '/home/bob/.vscode/extensions/a.b-1/package.json': '{}',
    '/home/ada/.vscode/extensions': { link: '/home/bob/.vscode/extensions' },
    '/home/ada/.cursor/extensions': { link: '/data/ada' },
  });
  const names = async () => {
    const tree = await machine.tree();
    const lists = ['.vscode/extensions', '.cursor/extensions'].map((dir) =>
      tree.list(`/home/ada/${dir}`),
    );
    return (await Promise.all(lists)).map((list) => list.map(({ name }) => name));
  };
  expect(await names()).toEqual([['a.b-1'], ['own']]);
  chmodSync(machine.inRoot('/home/bob'), 0o700);
  expect(await names()).toEqual([[], ['own']]);
});

test.runIf(isRoot)(
  'what root has put into a private home is read if its user may read it',
  async () => {
    await using machine = await makeMachine({
      '/home/ada/.cursor/mcp.json': 'text',
      '/home/ada/.kiro/mcp.json': { text: 'text', mode: 0o600 },
      '/home/ada/.secret/mcp.json': 'text',
    });
    for (const name of ['.cursor', '.kiro', '.secret'])
      giveTo(0, machine.inRoot(`/home/ada/${name}`));
    chmodSync(machine.inRoot('/home/ada/.secret'), 0o700);
    chmodSync(machine.inRoot('/home/ada'), 0o700);
    const tree = await machine.tree();
    const read = async (folder: string) => await tree.read(`/home/ada/${folder}/mcp.json`, 100);
    expect(await read('.cursor')).toMatchObject({ bytes: Buffer.from('text') });
    expect(await read('.kiro')).toMatchObject({ error: expect.any(String) });
    expect(await read('.secret')).toMatchObject({ error: expect.any(String) });
  },
);

test.runIf(isRoot)('a hard link to a private file of another user is not read', async () => {
  await using machine = await makeMachine({});
  linkSync(machine.inRoot('/home/bob/own'), machine.inRoot('/home/ada/hard'));
  const tree = await machine.tree();
  expect(await tree.read('/home/ada/hard', 100)).toMatchObject({ error: expect.any(String) });
  expect(await tree.read('/home/bob/own', 100)).toMatchObject({ bytes: Buffer.from('text') });
});

test.runIf(isRoot)('what lies next to the target of a link is that of its user, too', async () => {
  await using machine = await makeMachine({
    '/data/ada/bin/tool': { text: '#!', mode: 0o755 },
    '/data/ada/package.json': { link: '/data/bob/own' },
    '/home/ada/.local/bin/tool': { link: '/data/ada/bin/tool' },
  });
  const tree = await machine.tree();
  expect(await tree.read('/data/ada/package.json', 100)).toMatchObject({
    bytes: expect.any(Buffer),
  });
  expect(await tree.resolve('/home/ada/.local/bin/tool')).toBe('/data/ada/bin/tool');
  expect(await tree.read('/data/ada/package.json', 100)).toMatchObject({
    error: expect.any(String),
  });
});

test.runIf(isRoot)(
  'a scan does not report the private apps of one user as those of another',
  async () => {
    const server = json({ mcpServers: { secret: { command: 'a' } } });
    await using machine = await makeMachine({
      '/home/bob/private/mcp.json': { text: server, mode: 0o600 },
      '/home/ada/.cursor/mcp.json': { link: '/home/bob/private/mcp.json' },
      '/home/ada/.kiro/settings/mcp.json': json({ mcpServers: { own: { command: 'a' } } }),
    });
    const scanner = createScanner(openTree(machine.inRoot('/')), { platform: 'linux' });
    // The second scan reuses the findings of the first.
    for (const _ of ['first', 'second']) {
      const { apps, problems, notRead } = await scanner.scan(machine.homes);
      expect(apps.map(({ name, user }) => `${name} of ${user}`)).toEqual(['own of ada']);
      const [path, reason] = [
        '/home/ada/.cursor/mcp.json',
        'is a private file of another user, not read',
      ];
      expect(problems).toEqual([`${path}: ${reason}`]);
      expect(notRead).toEqual([{ kind: null, path, reason }]);
    }
  },
);
