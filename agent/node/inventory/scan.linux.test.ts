import { expect, test } from 'vitest';
import { appReport } from '#contract/inventory.ts';
import { executable, json, makeRoot, program } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [
  { user: 'ada', dir: '/home/ada' },
  { user: 'bob', dir: '/home/bob/' },
];

const CLAUDE_PACKAGE =
  '/home/ada/.nvm/versions/node/v24.1.0/lib/node_modules/@anthropic-ai/claude-code';

const machine = {
  // Command-line tools: npm global, native installer, pipx, cargo, Debian, settings only.
  [`${CLAUDE_PACKAGE}/package.json`]: json({
    name: '@anthropic-ai/claude-code',
    version: '2.1.39',
  }),
  [`${CLAUDE_PACKAGE}/cli.js`]: program(),
  '/home/ada/.nvm/versions/node/v24.1.0/bin/claude': {
    link: '../lib/node_modules/@anthropic-ai/claude-code/cli.js',
  },
  '/home/ada/.claude/settings.json': json({ permissions: { defaultMode: 'bypassPermissions' } }),
  '/home/bob/.local/share/claude/versions/2.0.5': program(),
  '/home/bob/.local/bin/claude': { link: '/home/bob/.local/share/claude/versions/2.0.5' },
  '/home/ada/.local/share/pipx/venvs/aider-chat/bin/aider': program(),
  '/home/ada/.local/share/pipx/venvs/aider-chat/lib/python3.12/site-packages/aider_chat-0.86.1.dist-info/METADATA':
    'Metadata-Version: 2.4\nName: aider-chat\nVersion: 0.86.1\n\nName: not-this\n',
  '/home/ada/.local/bin/aider': { link: '/home/ada/.local/share/pipx/venvs/aider-chat/bin/aider' },
  '/home/ada/.cargo/bin/aichat': program(),
  '/home/ada/.cargo/.crates.toml': `[v1]\n"aichat 0.30.0 (registry+https://index.example)" = ["aichat"]\n`,
  '/usr/bin/crush': program(),
  '/var/lib/dpkg/status': [
    'Package: crush\nStatus: install ok installed\nVersion: 0.9.2\n',
    'Package: cursor\nStatus: install ok installed\nVersion: 3.1.0\n',
    'Package: warp-terminal\nStatus: deinstall ok config-files\nVersion: 1.0\n',
  ].join('\n'),
  '/var/lib/dpkg/info/crush.list': '/.\n/usr/bin\n/usr/bin/crush\n',
  '/home/ada/.local/bin/goose': executable('…GOOSE_PROVIDER…GOOSE_MODE…'),
  '/home/ada/.config/goose/config.yaml': 'GOOSE_MODE: auto\n',
  // Desktop apps.
  '/usr/share/applications/cursor.desktop': '[Desktop Entry]\nExec=/usr/share/cursor/cursor %F\n',
  '/usr/share/cursor/resources/app/package.json': json({ name: 'Cursor', version: '3.2.1' }),
  '/home/bob/Applications/LM-Studio-0.4.2-x64.AppImage': program(),
  '/home/bob/.lmstudio/settings.json': '{}',
  '/home/ada/.local/share/flatpak/exports/share/applications/com.jeffser.Alpaca.desktop':
    '[Desktop Entry]\nExec=/usr/bin/flatpak run com.jeffser.Alpaca\n',
  '/home/ada/.local/share/flatpak/app/com.jeffser.Alpaca/current/metadata': '',
  // Extensions.
  '/home/ada/.vscode/extensions/github.copilot-chat-0.33.1/package.json': json({
    publisher: 'GitHub',
    name: 'copilot-chat',
    version: '0.33.1',
  }),
  '/home/ada/.cursor/extensions/saoudrizwan.claude-dev-3.40.0-universal/package.json': json({
    publisher: 'saoudrizwan',
    name: 'claude-dev',
    version: '3.40.0',
  }),
  '/home/ada/.vscode/extensions/github.copilot-1.200.0/package.json': json({
    publisher: 'GitHub',
    name: 'copilot',
    version: '1.200.0',
  }),
  '/home/ada/.vscode/extensions/.obsolete': json({ 'github.copilot-1.200.0': true }),
};

/** Names without any confirmation, which must not be found. */
const lookalikes = {
  '/usr/local/bin/amp': program(),
  '/usr/bin/goose': { text: 'not executable', mode: 0o644 },
  '/usr/bin/q': program(),
  '/usr/bin/codex': { link: '/nowhere' },
  '/home/bob/.codex/config.toml': '',
  '/usr/share/applications/void.desktop': '[Desktop Entry]\nExec=/usr/bin/void\n',
  '/opt/warpdotdev/README': 'left behind',
  '/home/bob/Downloads/Cursor-3.0.0.AppImage': program(),
  '/home/bob/.vscode/extensions/anthropic.claude-code-1.0.0/package.json': json({
    publisher: 'mallory',
    name: 'claude-code',
  }),
  '/home/bob/.vscode/extensions/openai.chatgpt-1.0.0': 'a file',
  '/home/bob/.local/lib/node_modules/@iflow-ai/iflow-cli/package.json': json({ name: 'other' }),
  '/home/bob/.local/bin/iflow': program(),
  '/home/bob/.local/bin/codex-mcp': program(),
};

test('finds what is installed on Linux, with its confidence', async () => {
  await using root = await makeRoot({ ...machine, ...lookalikes });
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  const rows = apps.map((app) => [
    app.catalog_id,
    app.version,
    app.path,
    app.user,
    app.confidence,
    app.risk_flags.join(),
  ]);
  expect(rows).toEqual([
    ['aichat', '0.30.0', '/home/ada/.cargo/bin/aichat', 'ada', 0.72, ''],
    ['aider', '0.86.1', '/home/ada/.local/bin/aider', 'ada', 0.86, ''],
    [
      'claude-code',
      '2.1.39',
      '/home/ada/.nvm/versions/node/v24.1.0/bin/claude',
      'ada',
      0.92,
      'bypass_permissions',
    ],
    ['claude-code', '2.0.5', '/home/bob/.local/bin/claude', 'bob', 0.72, ''],
    ['crush', '0.9.2', '/usr/bin/crush', null, 0.72, ''],
    ['goose', null, '/home/ada/.local/bin/goose', 'ada', 0.87, 'bypass_permissions'],
    ['alpaca', null, '/home/ada/.local/share/flatpak/app/com.jeffser.Alpaca', 'ada', 0.84, ''],
    ['cursor', '3.2.1', '/usr/share/cursor', null, 0.97, ''],
    [
      'lm-studio-app',
      '0.4.2',
      '/home/bob/Applications/LM-Studio-0.4.2-x64.AppImage',
      'bob',
      0.58,
      '',
    ],
    [
      'cline',
      '3.40.0',
      '/home/ada/.cursor/extensions/saoudrizwan.claude-dev-3.40.0-universal',
      'ada',
      0.92,
      '',
    ],
    [
      'github-copilot-chat',
      '0.33.1',
      '/home/ada/.vscode/extensions/github.copilot-chat-0.33.1',
      'ada',
      0.92,
      '',
    ],
  ]);
  expect(problems).toEqual([]);
  expect(appReport.array().safeParse(apps).error).toBeUndefined();
});

test('lookalikes alone are not reported', async () => {
  await using root = await makeRoot(lookalikes);
  expect(await scanInventory({ homes, root: root.dir, platform: 'linux' })).toEqual({
    apps: [],
    problems: [],
    notRead: [],
  });
});
