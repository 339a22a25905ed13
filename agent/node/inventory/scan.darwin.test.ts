import { buildBinary } from 'plist';
import { expect, test } from 'vitest';
import { appReport } from '#contract/inventory.ts';
import { infoPlist, json, makeRoot, program } from './testing/fixtures.ts';
import { jar } from './testing/jar.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/Users/ada' }];
const SUPPORT = '/Users/ada/Library/Application Support';

const DESCRIPTOR =
  '<idea-plugin>\n  <id>com.intellij.ml.llm</id>\n  <version>261.5</version>\n</idea-plugin>';

const machine = {
  '/Applications/Claude.app/Contents/Info.plist': infoPlist({
    CFBundleIdentifier: 'com.anthropic.claudefordesktop',
    CFBundleShortVersionString: '1.17.2',
    CFBundleVersion: '99',
  }),
  '/Applications/Renamed.app/Contents/Info.plist': Buffer.from(
    buildBinary({ CFBundleIdentifier: 'com.openai.chat', CFBundleVersion: '1.2026' }),
  ),
  '/Users/ada/Applications/Setapp/BoltAI.app/Contents/Info.plist': infoPlist({
    CFBundleIdentifier: 'co.podzim.BoltGPT',
  }),
  '/Applications/DeepSeek.app/WrappedBundle': { link: 'Wrapper/DeepSeek.app' },
  '/Applications/DeepSeek.app/Wrapper/DeepSeek.app/Info.plist': infoPlist({
    CFBundleIdentifier: 'com.deepseek.chat',
    CFBundleShortVersionString: '1.4',
  }),
  '/opt/homebrew/Caskroom/codex/0.60.1/codex': program(),
  '/opt/homebrew/bin/codex': { link: '../Caskroom/codex/0.60.1/codex' },
  '/Users/ada/.codex/config.toml': 'sandbox_mode = "danger-full-access"\n',
  [`${SUPPORT}/JetBrains/IntelliJIdea2026.1/plugins/ml-llm/lib/ml-llm.jar`]: jar(
    'META-INF/plugin.xml',
    DESCRIPTOR,
  ),
  [`${SUPPORT}/JetBrains/IntelliJIdea2026.1/plugins/other/lib/other.jar`]: jar('x', 'y'),
  [`${SUPPORT}/JetBrains/IntelliJIdea2026.1/plugins/broken/lib/broken.jar`]:
    'PK\x03\x04 not a zip at all, but long enough',
  [`${SUPPORT}/Claude/claude_desktop_config.json`]: {
    text: json({
      mcpServers: {
        fs: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem@2026.1.2', '/Users/ada'],
        },
      },
    }),
    mode: 0o600,
  },
  '/Users/ada/code/app/.mcp.json': {
    text: json({ mcpServers: { linear: { type: 'http', url: 'https://mcp.linear.app/mcp' } } }),
    mode: 0o600,
  },
  // Not searched, because macOS would ask the user for consent.
  '/Users/ada/Documents/app/.mcp.json': json({ mcpServers: { private: { command: 'x' } } }),
  // Another vendor's app with the name of our product.
  '/Applications/Cursor.app/Contents/Info.plist': infoPlist({ CFBundleIdentifier: 'org.example' }),
  '/Applications/Poe.app/README': 'no bundle',
};

test('finds what is installed on macOS', async () => {
  await using root = await makeRoot(machine);
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'darwin' });
  expect(
    apps.map((app) => [
      app.kind,
      app.catalog_id,
      app.version,
      app.path,
      app.user,
      app.risk_flags.join(),
    ]),
  ).toEqual([
    ['cli', 'codex-cli', '0.60.1', '/opt/homebrew/bin/codex', null, 'bypass_permissions'],
    ['desktop_app', 'boltai', null, '/Users/ada/Applications/Setapp/BoltAI.app', 'ada', ''],
    ['desktop_app', 'chatgpt', '1.2026', '/Applications/Renamed.app', null, ''],
    ['desktop_app', 'claude-desktop', '1.17.2', '/Applications/Claude.app', null, ''],
    ['desktop_app', 'deepseek', '1.4', '/Applications/DeepSeek.app', null, ''],
    [
      'editor_extension',
      'jetbrains-ai-assistant',
      '261.5',
      `${SUPPORT}/JetBrains/IntelliJIdea2026.1/plugins/ml-llm`,
      'ada',
      '',
    ],
    [
      'mcp_server',
      'mcp-filesystem',
      '2026.1.2',
      `${SUPPORT}/Claude/claude_desktop_config.json`,
      'ada',
      'mcp_fs_write',
    ],
    ['mcp_server', 'mcp-linear', null, '/Users/ada/code/app/.mcp.json', 'ada', ''],
  ]);
  expect(problems).toEqual([]);
  expect(appReport.array().safeParse(apps).error).toBeUndefined();
});

test('with full disk access the documents are searched too', async () => {
  await using root = await makeRoot({
    ...machine,
    [`${SUPPORT}/com.apple.TCC/TCC.db`]: 'readable',
  });
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'darwin' });
  expect(apps.map((app) => app.path)).toContain('/Users/ada/Documents/app/.mcp.json');
});

test('a bundle with the right id is recognized under another name, with less confidence', async () => {
  await using root = await makeRoot(machine);
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'darwin' });
  const sure = apps
    .filter((app) => app.kind === 'desktop_app')
    .map((app) => [app.name, app.confidence]);
  expect(sure).toEqual([
    ['BoltAI', 0.94],
    ['ChatGPT', 0.92],
    ['Claude', 0.94],
    ['DeepSeek', 0.94],
  ]);
});

test('a JetBrains plugin outside the catalog is recognized by its name or its description', async () => {
  const plugins = `${SUPPORT}/JetBrains/IntelliJIdea2026.1/plugins`;
  const plugin = (id: string, about: string) =>
    jar(
      'META-INF/plugin.xml',
      `<idea-plugin><id>${id}</id><version>3.1</version>${about}</idea-plugin>`,
    );
  await using root = await makeRoot({
    [`${plugins}/a/lib/a.jar`]: plugin('acme.a', '<name>Acme AI Chat</name>'),
    [`${plugins}/b/lib/b.jar`]: plugin(
      'acme.b',
      '<name>Acme</name><description><![CDATA[<p>AI-powered completion</p>]]></description>',
    ),
    [`${plugins}/c/lib/c.jar`]: plugin('acme.c', '<name>Acme Brackets</name>'),
    [`${plugins}/d/lib/d.jar`]: plugin('acme.d', '<name>Claude Theme</name>'),
  });
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'darwin' });
  expect(apps.map((app) => [app.name, app.catalog_id, app.version, app.path])).toEqual([
    ['Acme AI Chat', null, '3.1', `${plugins}/a`],
    ['Acme', null, '3.1', `${plugins}/b`],
  ]);
});

test('an app outside the catalog is recognized by its own name', async () => {
  const app = (name: string) => ({
    [`/Applications/${name}.app/Contents/Info.plist`]: infoPlist({
      CFBundleIdentifier: `com.acme.${name.length}`,
      CFBundleName: name,
      CFBundleShortVersionString: '1.0',
    }),
  });
  await using root = await makeRoot({
    ...app('Acme GPT'),
    ...app('AI Blocker'),
    ...app('Airtable'),
    ...app('GPT Disk Tool'),
  });
  const { apps } = await scanInventory({ root: root.dir, homes: [], platform: 'darwin' });
  expect(apps.map(({ name, catalog_id: id, version }) => [name, id, version])).toEqual([
    ['Acme GPT', null, '1.0'],
  ]);
});
