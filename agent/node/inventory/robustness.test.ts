import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { appReport } from '#contract/inventory.ts';
import { infoPlist, json, makeRoot, program, type FakeFile } from './testing/fixtures.ts';
import { scanInventory, scanTree } from './testing/scan.ts';
import { listFolder, openTree } from './tree.ts';

const run = promisify(execFile);
const homes = [{ user: 'ada', dir: '/home/ada' }];
const scan = (root: string, platform: 'linux' | 'darwin' = 'linux') =>
  scanInventory({ homes, root, platform });

const nothing = { apps: [], problems: [], notRead: [] };

const server = (name: string) => json({ mcpServers: { [name]: { command: 'a' } } });

/** Each line repeats the previous one nine times: 9⁹ items when expanded. */
const referencesWithoutEnd = Array.from({ length: 9 }, (_, i) => {
  const items = Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*a${i - 1}`));
  return `a${i}: &a${i} [${items.join()}]`;
}).join('\n');

test.each<[string, string, FakeFile, string]>([
  ['broken JSON', '.cursor/mcp.json', '{"a":\n1', 'is not valid JSON (line 2)'],
  ['binary', '.cursor/mcp.json', Buffer.from([0, 255, 254, 1]), 'is not valid JSON (line 1)'],
  ['broken YAML', '.continue/config.yaml', 'a: [\n', 'is not valid YAML (line 2)'],
  ['broken TOML', '.codex/config.toml', 'a = \n', 'is not valid TOML (line 1)'],
  [
    'a huge file',
    '.continue/config.yaml',
    ' '.repeat(1024 * 1024 + 1),
    'is larger than 1024 KiB, not read',
  ],
  ['a folder', '.cursor/mcp.json/x', '', 'is not a file'],
  [
    'brackets without end',
    '.cursor/mcp.json',
    '['.repeat(500_000),
    'is not valid JSON (nested too deeply or too many references)',
  ],
  [
    'references without end',
    '.continue/config.yaml',
    referencesWithoutEnd,
    'is not valid YAML (nested too deeply or too many references)',
  ],
])('%s results in one line and stops nothing', async (_, path, file, problem) => {
  await using root = await makeRoot({
    [`/home/ada/${path}`]: file,
    '/home/ada/.kiro/settings/mcp.json': server('good'),
  });
  const { apps, problems, notRead } = await scan(root.dir);
  expect(apps.map((app) => app.name)).toEqual(['good']);
  const source = `/home/ada/${path.replace('/x', '')}`;
  expect(problems).toEqual([`${source}: ${problem}`]);
  expect(notRead).toEqual([{ kind: null, path: source, reason: problem }]);
});

test('circular links, dangling links and a pipe without a writer do not stop the scan', async () => {
  await using root = await makeRoot({
    '/home/ada/.cursor/mcp.json': { link: 'mcp.json' },
    '/home/ada/.claude.json': { link: '/nowhere' },
    '/home/ada/.vscode/extensions': { link: '.' },
    '/home/ada/.local/bin/claude': { link: '../bin/claude' },
    '/home/ada/.config/goose/README': '',
  });
  await run('mkfifo', [`${root.dir}/home/ada/.config/goose/config.yaml`]);
  expect(await scan(root.dir)).toEqual({
    apps: [],
    problems: ['/home/ada/.config/goose/config.yaml: is not a file'],
    notRead: [{ kind: null, path: '/home/ada/.config/goose/config.yaml', reason: 'is not a file' }],
  });
});

test('missing homes, or no homes, do not stop the scan', async () => {
  await using root = await makeRoot({ '/etc/hostname': 'x' });
  expect(await scan(root.dir)).toEqual(nothing);
  expect(await scan(root.dir, 'darwin')).toEqual(nothing);
  expect(await scanInventory({ homes: [], root: root.dir })).toEqual(nothing);
});

test('invalid property lists do not stop the scan', async () => {
  await using root = await makeRoot({
    '/Applications/A.app/Contents/Info.plist': 'garbage',
    '/Applications/B.app/Contents/Info.plist': infoPlist({ CFBundleIdentifier: 'x' }).slice(0, -9),
    '/Applications/C.app/Contents/Info.plist': Buffer.from('bplist00 and no more'),
    '/Applications/D.app/Contents/Info.plist': '<plist><array/></plist>',
  });
  const printed = vi.spyOn(console, 'error');
  const { apps, problems } = await scan(root.dir, 'darwin');
  expect(printed).not.toHaveBeenCalled();
  expect(apps).toEqual([]);
  expect(problems).toEqual(
    ['A', 'B', 'C', 'D'].map(
      (name) => `/Applications/${name}.app/Contents/Info.plist: is not a valid property list`,
    ),
  );
});

test('folders that may not be read are skipped', async () => {
  await using root = await makeRoot({
    '/home/ada/closed/.mcp.json': server('closed'),
    '/home/ada/.cursor/mcp.json': server('good'),
  });
  await chmod(`${root.dir}/home/ada/closed`, 0);
  const { apps, problems } = await scan(root.dir);
  await chmod(`${root.dir}/home/ada/closed`, 0o755);
  expect(apps.map((app) => app.name)).toContain('good');
  expect(problems).toEqual([]);
});

test('fields that are too long are truncated to the limits of a report', async () => {
  const variables = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`NAME_${i}`, 'x']));
  await using root = await makeRoot({
    '/home/ada/.cursor/mcp.json': json({
      mcpServers: {
        [`n${'😀'.repeat(300)}`]: { command: 'a', env: variables },
        '': { command: 'b' },
      },
    }),
  });
  const { apps } = await scan(root.dir);
  expect(appReport.array().safeParse(apps).error).toBeUndefined();
  expect(apps.map((app) => app.name.length)).toEqual([9, 200]);
});

test('an abandoned scan rejects with the reason', async () => {
  await using root = await makeRoot({ '/home/ada/.cursor/mcp.json': server('x') });
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(scanInventory({ homes, root: root.dir, signal })).rejects.toThrow('enough');
});

test('the result does not depend on the order in which folders are listed', async () => {
  await using root = await makeRoot({
    '/home/ada/.cursor/mcp.json': server('x'),
    '/home/ada/a/.mcp.json': server('x'),
    '/home/ada/b/.mcp.json': server('x'),
    '/home/ada/b/.cursor/mcp.json': { link: '../.mcp.json' },
    '/home/ada/c/.mcp.json': '{',
    '/home/ada/.continue/mcpServers/1.yaml': 'mcpServers: [{name: y, command: a}]',
    '/home/ada/.continue/mcpServers/2.yaml': 'mcpServers: [{name: y, command: b}]',
    '/home/ada/.local/bin/claude': { link: '../share/claude/versions/2.0.0' },
    // Two names in one folder for the same program: the choice between them must be deterministic.
    '/home/ada/.local/bin/kilo': program(),
    '/home/ada/.local/bin/kilocode': { link: 'kilo' },
    '/home/ada/.kilocode/x': '',
    '/home/ada/.continue/mcpServers/0.yaml': { link: '1.yaml' },
    '/home/ada/bin/claude': { link: '../.local/share/claude/versions/2.0.0' },
    '/home/ada/.local/share/claude/versions/2.0.0': program(),
    '/home/ada/.vscode/extensions/github.copilot-1.0.0/package.json': json({
      publisher: 'github',
      name: 'copilot',
      version: '1.0.0',
    }),
    '/home/ada/.vscode/extensions/github.copilot-1.1.0/package.json': json({
      publisher: 'github',
      name: 'copilot',
      version: '1.1.0',
    }),
  });
  const expected = await scan(root.dir);
  expect(expected.apps.length).toBeGreaterThan(6);
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.double({ noNaN: true })), async (weights) => {
      const shuffled = openTree(root.dir, (dir) => {
        const keyed = listFolder(dir).map((item) => ({ item, key: weights.next().value }));
        return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
      });
      expect(await scanTree(shuffled, { homes, platform: 'linux' })).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});
