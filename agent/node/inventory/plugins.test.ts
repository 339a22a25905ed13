import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, makeRoot, type FakeFile } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];

async function found(files: Record<string, FakeFile>) {
  await using root = await makeRoot(files);
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  return { apps, plugins: apps.filter((app) => app.kind === 'plugin'), problems };
}

const DIR = '/home/ada/.claude/plugins/cache/shop/tidy/1.2.0';

test('a plugin of Claude Code is reported with its marketplace and all its parts', async () => {
  const { apps } = await found({
    '/home/ada/.claude/plugins/installed_plugins.json': json({
      version: 2,
      plugins: { 'tidy@shop': [{ scope: 'user', installPath: DIR, version: 'main' }] },
    }),
    '/home/ada/.claude/plugins/known_marketplaces.json': json({
      shop: { source: { source: 'github', repo: 'acme/shop' }, installLocation: '/x' },
    }),
    '/home/ada/.claude/settings.json': json({ enabledPlugins: { 'tidy@shop': false } }),
    [`${DIR}/.claude-plugin/plugin.json`]: json({ name: 'tidy', version: '1.2.0' }),
    [`${DIR}/hooks/hooks.json`]: json({ hooks: { Stop: [{ hooks: [{ command: 'tidy' }] }] } }),
    [`${DIR}/skills/sweep/SKILL.md`]: '---\nname: sweep\ndescription: x\n---\n',
    [`${DIR}/agents/helper.md`]: '---\nname: helper\ndescription: x\n---\n',
    [`${DIR}/commands/go.md`]: 'Go.',
  });
  expect(apps.map((app) => [app.kind, app.name, app.version, app.risk_flags])).toEqual([
    ['hook', 'Stop', null, ['runs_commands']],
    ['plugin', 'tidy', '1.2.0', ['unpinned_dependency', 'runs_commands']],
    ['skill', 'go', null, []],
    ['skill', 'sweep', null, []],
    ['sub_agent', 'helper', null, []],
  ]);
  expect(apps[1]?.evidence.slice(2)).toEqual([
    'from the marketplace shop, github acme/shop',
    'switched off in the settings',
    'brings hooks',
  ]);
});

const server = (name: string) => ({ [name]: { command: name } });

test.each<[string, unknown, Record<string, FakeFile>, string[]]>([
  ['a path', './conf/mcp.json', { 'conf/mcp.json': json({ mcpServers: server('a') }) }, ['a']],
  ['a path to a bare map', 'servers.json', { 'servers.json': json(server('a')) }, ['a']],
  [
    'a list of paths and maps',
    ['./a.json', server('b'), './c.json'],
    { 'a.json': json(server('a')), 'c.json': json(server('c')) },
    ['a', 'b', 'c'],
  ],
  ['a map', server('a'), {}, ['a']],
  ['nothing, with the usual file', undefined, { '.mcp.json': json(server('a')) }, ['a']],
  ['a path out of the plugin', '../mcp.json', { '../mcp.json': json(server('a')) }, []],
  ['an absolute path', '/home/ada/mcp.json', { '/home/ada/mcp.json': json(server('a')) }, []],
])('MCP servers that a plugin names by %s', async (_, mcpServers, files, names) => {
  // Claude Code does not keep plugins of local marketplaces in its cache.
  const dir = '/home/ada/shop/tidy';
  const { apps, problems } = await found({
    '/home/ada/.claude/plugins/installed_plugins.json': json({
      plugins: { 'tidy@shop': [{ installPath: dir, version: '1.2.0' }] },
    }),
    [`${dir}/.claude-plugin/plugin.json`]: json({ name: 'tidy', mcpServers }),
    ...Object.fromEntries(Object.entries(files).map(([path, file]) => [join(dir, path), file])),
  });
  const servers = apps.filter(({ kind }) => kind === 'mcp_server');
  expect(servers.map((app) => [app.name, app.user])).toEqual(names.map((name) => [name, 'ada']));
  for (const { evidence } of servers) expect(evidence[0]).toContain('read by Claude Code plugin');
  expect(problems).toEqual([]);
});

test('a server of a plugin in the cache is reported once', async () => {
  const { apps } = await found({
    '/home/ada/.claude/plugins/installed_plugins.json': json({
      plugins: { 'tidy@shop': [{ installPath: DIR }] },
    }),
    [`${DIR}/.claude-plugin/plugin.json`]: json({ mcpServers: ['./.mcp.json', server('b')] }),
    [`${DIR}/.mcp.json`]: json({ mcpServers: server('a') }),
  });
  const servers = apps.filter(({ kind }) => kind === 'mcp_server');
  expect(servers.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('plugins of other tools, single files and packages are reported', async () => {
  const { plugins } = await found({
    '/home/ada/.gemini/extensions/a/gemini-extension.json': json({ name: 'a', version: '1.0.0' }),
    '/home/ada/.gemini/extensions/a/.gemini-extension-install.json': json({ type: 'git' }),
    '/home/ada/.qwen/extensions/b/qwen-extension.json': json({ name: 'b', version: '2.0.0' }),
    '/home/ada/.openclaw/extensions/c/openclaw.plugin.json': json({ id: 'c' }),
    '/home/ada/.config/opencode/plugin/d.ts': 'export default {}',
    '/home/ada/p/opencode.json': json({ plugin: ['opencode-e@1.0.0', 'opencode-f', './local.ts'] }),
    '/home/ada/.hermes/plugins/g/plugin.yaml': 'name: g\nversion: "1"\n',
  });
  expect(plugins.map((app) => [app.name, app.catalog_id, app.version, app.risk_flags])).toEqual([
    ['a', 'gemini-cli', '1.0.0', ['unpinned_dependency']],
    ['b', 'qwen-code', '2.0.0', []],
    ['c', 'openclaw', null, []],
    ['d.ts', 'opencode', null, ['runs_commands']],
    ['g', 'hermes-agent', '1', []],
    ['opencode-e', 'opencode', '1.0.0', ['runs_commands']],
    ['opencode-f', 'opencode', null, ['unpinned_dependency', 'runs_commands']],
  ]);
});

test('lists without plugins, folders without a manifest and invalid lists are not reported', async () => {
  const { plugins, problems } = await found({
    '/home/ada/.claude/plugins/installed_plugins.json': json({
      plugins: { 'a@b': [{ x: 1 }], c: 3 },
    }),
    '/home/ada/.claude/plugins/known_marketplaces.json': json([]),
    '/home/ada/.gemini/extensions/a/README.md': 'x',
    '/home/ada/.gemini/extensions/gemini-extension.json': '{}',
    '/home/ada/p/opencode.json': json({ plugin: 'x' }),
    '/home/ada/.config/opencode/plugin/types.d.ts': 'export {}',
    '/home/ada/.config/opencode/plugin/empty.ts': '',
  });
  expect({ plugins, problems }).toEqual({ plugins: [], problems: [] });
});
