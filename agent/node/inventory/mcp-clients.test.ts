import { expect, test } from 'vitest';
import { makeRoot } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];
const stdio = { command: 'npx', args: ['-y', 'foo-mcp@1.2.3'], env: { TOKEN: 'hunter22' } };
const TOML =
  '[mcp_servers.foo]\ncommand = "npx"\nargs = ["-y", "foo-mcp@1.2.3"]\nenv = { TOKEN = "hunter22" }\n';
const JETBRAINS = `<application>
  <component name="McpApplicationServerCommands">
    <commands>
      <McpServerCommand>
        <option name="enabled" value="true" />
        <option name="name" value="foo" />
        <option name="programPath" value="npx" />
        <option name="arguments" value="-y foo-mcp@1.2.3" />
        <envs><env name="TOKEN" value="hunter22" /></envs>
      </McpServerCommand>
    </commands>
  </component>
</application>`;
const usual = { mcpServers: { foo: stdio } };
const argv = { type: 'local', command: ['npx', '-y', 'foo-mcp@1.2.3'], environment: stdio.env };
const SUPPORT = 'Library/Application Support';

test.each<[string, string, unknown]>([
  ['Claude Desktop', '.config/Claude/claude_desktop_config.json', usual],
  [
    'a Claude Desktop extension',
    '.config/Claude/Claude Extensions/local.mcpb.ada.foo/manifest.json',
    { name: 'foo', server: { type: 'node', mcp_config: stdio } },
  ],
  ['a client that the catalog does not know', '.acme-agent/mcp.json', { servers: { foo: stdio } }],
  ['another one', '.config/Acme Chat/mcp_config.json', usual],
  ['Claude Code', '.claude.json', { projects: { '/home/ada/x': usual } }],
  ['a Claude Code plugin', '.claude/plugins/cache/market/tool/1.0.0/.mcp.json', usual],
  [
    'a Claude Code plugin without a key',
    '.claude/plugins/cache/market/tool/1.0.0/.mcp.json',
    { foo: stdio },
  ],
  [
    'the manifest of a Claude Code plugin',
    '.claude/plugins/cache/market/tool/1.0.0/.claude-plugin/plugin.json',
    { name: 'x', ...usual },
  ],
  ['managed Claude Code', '/etc/claude-code/managed-mcp.json', usual],
  ['managed Codex', '/etc/codex/managed_config.toml', TOML],
  ['Codex', '.codex/config.toml', TOML],
  [
    'Mistral Vibe',
    '.vibe/config.toml',
    '[[mcp_servers]]\nname = "foo"\ntransport = "stdio"\ncommand = "npx"\nargs = ["-y", "foo-mcp@1.2.3"]\nenv = { TOKEN = "x" }\n',
  ],
  ['Grok', '.grok/config.toml', TOML],
  ['Cursor', '.cursor/mcp.json', usual],
  ['Windsurf', '.codeium/windsurf/mcp_config.json', usual],
  ['a project of Windsurf', 'src/app/.windsurf/mcp.json', usual],
  ['VS Code', '.config/Code/User/mcp.json', { servers: { foo: { type: 'stdio', ...stdio } } }],
  [
    'a profile of VS Code',
    '.config/Code/User/profiles/-1a2b/mcp.json',
    { servers: { foo: stdio } },
  ],
  [
    'settings of VS Code',
    '.config/Code - Insiders/User/settings.json',
    { mcp: { servers: { foo: stdio } } },
  ],
  ['a remote VS Code', '.vscode-server/data/User/mcp.json', { servers: { foo: stdio } }],
  [
    'VS Code as a Flatpak',
    '.var/app/com.visualstudio.code/config/Code/User/mcp.json',
    { servers: { foo: stdio } },
  ],
  [
    'Cline',
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    usual,
  ],
  [
    'Roo Code',
    '.config/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    usual,
  ],
  ['Kilo Code', '.config/kilo/kilo.json', { mcp: { foo: argv } }],
  [
    'Zed',
    '.config/zed/settings.json',
    { context_servers: { foo: { source: 'custom', ...stdio } } },
  ],
  ['JetBrains AI', '.ai/mcp/mcp.json', usual],
  [
    'JetBrains AI before 2025.3',
    '.config/JetBrains/PyCharm2025.1/options/llm.mcpServers.xml',
    JETBRAINS,
  ],
  ['Copilot in JetBrains', '.config/github-copilot/intellij/mcp.json', { servers: { foo: stdio } }],
  ['Junie', '.junie/mcp/mcp.json', usual],
  ['Warp', '.warp/.mcp.json', usual],
  ['Rovo Dev', '.rovodev/mcp.json', { mcpServers: { foo: { ...stdio, transport: 'stdio' } } }],
  ['Kimi', '.kimi/mcp.json', usual],
  ['Kimi Code', '.kimi-code/mcp.json', usual],
  [
    'Jan',
    '.local/share/Jan/data/mcp_config.json',
    { mcpServers: { foo: { ...stdio, active: true } } },
  ],
  ['Jan without a key', '.local/share/Jan/data/mcp_config.json', { foo: stdio }],
  [
    'AnythingLLM',
    '.config/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json',
    usual,
  ],
  ['Cherry Studio', '.config/CherryStudio/mcp_servers.json', usual],
  ['5ire', '.config/5ire/mcp.json', { servers: [{ name: 'foo', key: 'Foo', ...stdio }] }],
  ['BoltAI', '.boltai/mcp.json', usual],
  ['LM Studio', '.lmstudio/mcp.json', usual],
  ['Copilot CLI', '.copilot/mcp-config.json', { mcpServers: { foo: { type: 'local', ...stdio } } }],
  ['Gemini CLI', '.gemini/settings.json', usual],
  [
    'an extension of Gemini CLI',
    '.gemini/extensions/foo/gemini-extension.json',
    { name: 'foo', ...usual },
  ],
  ['Antigravity', '.gemini/config/mcp_config.json', usual],
  ['Qwen Code', '.qwen/settings.json', usual],
  ['Kiro', '.kiro/settings/mcp.json', usual],
  ['Amazon Q', '.aws/amazonq/mcp.json', usual],
  [
    'Goose',
    '.config/goose/config.yaml',
    'extensions:\n  foo:\n    type: stdio\n    cmd: npx\n    args: [-y, foo-mcp@1.2.3]\n    envs: {TOKEN: hunter22}\n',
  ],
  ['Amp', '.config/amp/settings.json', { 'amp.mcpServers': { foo: stdio } }],
  ['Crush', '.config/crush/crush.json', { mcp: { foo: { type: 'stdio', ...stdio } } }],
  ['OpenCode', '.config/opencode/opencode.json', { mcp: { foo: argv } }],
  ['Factory', '.factory/mcp.json', usual],
  ['Augment', '.augment/settings.json', usual],
  ['Trae', 'work/.trae/mcp.json', usual],
  ['CodeBuddy', '.codebuddy/.mcp.json', usual],
  ['Qoder', '.qoder/settings.json', usual],
  [
    'Continue',
    '.continue/config.yaml',
    'mcpServers:\n  - name: foo\n    command: npx\n    args: ["-y", "foo-mcp@1.2.3"]\n    env: {TOKEN: hunter22}\n',
  ],
  [
    'a project of Continue',
    'src/app/.continue/mcpServers/foo.yml',
    'name: x\nmcpServers:\n  - name: foo\n    command: npx\n    args: ["-y", "foo-mcp@1.2.3"]\n    env: {TOKEN: hunter22}\n',
  ],
  ['a project of Continue with JSON', 'src/app/.continue/mcpServers/foo.json', usual],
  ['an agent of Kiro', '.kiro/agents/a.json', { name: 'a', ...usual }],
  ['an agent of Kiro in a project', 'src/app/.kiro/agents/a.json', { name: 'a', ...usual }],
  [
    'an agent of Kiro in Markdown',
    'src/app/.kiro/agents/a.md',
    '---\ndescription: A\nmcpServers:\n  foo:\n    command: npx\n    args: ["-y", "foo-mcp@1.2.3"]\n    env: {TOKEN: hunter22}\n---\nBe kind.\n',
  ],
  [
    'a workspace of VS Code',
    'src/all.code-workspace',
    { folders: [{ path: '.' }], settings: { mcp: { servers: { foo: stdio } } } },
  ],
  [
    'a development container',
    'src/app/.devcontainer/devcontainer.json',
    { image: 'x', customizations: { vscode: { mcp: { servers: { foo: stdio } } } } },
  ],
  [
    'one of several development containers',
    'src/app/.devcontainer/python/devcontainer.json',
    { customizations: { vscode: { settings: { mcp: { servers: { foo: stdio } } } } } },
  ],
  ['OpenClaw', '.openclaw/openclaw.json', { mcp: { servers: { foo: stdio } } }],
  [
    'Hermes',
    '.hermes/config.yaml',
    'mcp_servers:\n  foo:\n    command: npx\n    args: [-y, foo-mcp@1.2.3]\n    env: {TOKEN: hunter22}\n',
  ],
  ['MCP Hub', '.config/mcphub/servers.json', usual],
  ['Cortex Code', '.snowflake/cortex/mcp.json', usual],
  ['Tabnine', '.tabnine/mcp_servers.json', usual],
])('%s is reported with program, package and names of variables', async (_, path, document) => {
  const file = path.startsWith('/') ? path : `/home/ada/${path}`;
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  await using root = await makeRoot({ [file]: { text, mode: 0o600 } });
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  // Some files belong to an extension, which is found together with its server.
  const servers = apps.filter(({ kind }) => kind === 'mcp_server');
  expect(
    servers.map((app) => [app.kind, app.name, app.version, app.user, app.evidence.slice(1)]),
  ).toEqual([
    [
      'mcp_server',
      'foo',
      '1.2.3',
      path.startsWith('/') ? null : 'ada',
      ['stdio: npx foo-mcp@1.2.3', 'arguments: -y foo-mcp@1.2.3', 'environment variables: TOKEN'],
    ],
  ]);
  expect(problems).toEqual([]);
});

test('a file that a client of the catalog reads is attributed only to that client', async () => {
  const files = { '/home/ada/.cursor/mcp.json': usual, '/home/ada/.acme/mcp.json': usual };
  await using root = await makeRoot(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, JSON.stringify(text)])),
  );
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  const readers = apps.map(({ evidence }) => evidence.filter((line) => line.includes('read by')));
  expect(readers).toEqual([
    ['in /home/ada/.acme/mcp.json, read by an MCP client that the catalog does not know'],
    ['in /home/ada/.cursor/mcp.json, read by Cursor'],
  ]);
});

test('on a Mac the files are in the settings folder of its apps', async () => {
  const files = [
    `${SUPPORT}/Jan/data/mcp_config.json`,
    `${SUPPORT}/CherryStudio/mcp_servers.json`,
    `${SUPPORT}/Claude/claude_desktop_config.json`,
  ];
  await using root = await makeRoot({
    ...Object.fromEntries(files.map((file) => [`/Users/ada/${file}`, JSON.stringify(usual)])),
    '/Library/Application Support/ClaudeCode/managed-mcp.json': JSON.stringify(usual),
  });
  const { apps } = await scanInventory({
    homes: [{ user: 'ada', dir: '/Users/ada' }],
    root: root.dir,
    platform: 'darwin',
  });
  expect(apps.map((app) => [app.path, app.user])).toEqual([
    ['/Library/Application Support/ClaudeCode/managed-mcp.json', null],
    ...files.toSorted().map((file) => [`/Users/ada/${file}`, 'ada']),
  ]);
});

test('front matter that is not YAML results in one line, and a text without it in none', async () => {
  await using root = await makeRoot({
    '/home/ada/.kiro/agents/a.md': '---\ndescription: A\nmcpServers: [\n---\nBe kind.\n',
    '/home/ada/.kiro/agents/b.md': 'Be kind.\n---\nmcpServers: [\n---\n',
  });
  const { problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(problems).toEqual(['/home/ada/.kiro/agents/a.md: is not valid YAML (line 3)']);
});

test('an invalid settings file of JetBrains results in one line', async () => {
  await using root = await makeRoot({
    '/home/ada/.config/JetBrains/PyCharm2025.1/options/llm.mcpServers.xml': `<a>${'<b>'.repeat(40_000)}`,
  });
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(apps).toEqual([]);
  expect(problems).toEqual([
    '/home/ada/.config/JetBrains/PyCharm2025.1/options/llm.mcpServers.xml: is not valid XML',
  ]);
});
