import { expect, test } from 'vitest';
import { infoPlist, json, makeRoot, program, type FakeFile } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const ADA = '/home/ada';

async function found(files: Record<string, FakeFile>) {
  await using root = await makeRoot(files);
  const homes = [{ user: 'ada', dir: ADA }];
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  return apps.map((app) => [app.kind, app.name, app.catalog_id, app.version, app.confidence]);
}

test('an uncatalogued VS Code extension is found by its manifest', async () => {
  const extensions = `${ADA}/.vscode/extensions`;
  const manifest = (name: string, fields: object) =>
    json({ publisher: 'Acme', name, version: '2.0.0', ...fields });
  expect(
    await found({
      [`${extensions}/acme.helper-2.0.0/package.json`]: manifest('helper', {
        displayName: '%title%',
        categories: ['AI'],
      }),
      [`${extensions}/acme.helper-2.0.0/package.nls.json`]: json({ title: 'Helper' }),
      [`${extensions}/acme.titled-2.0.0/package.json`]: manifest('titled', { displayName: '%t%' }),
      [`${extensions}/acme.titled-2.0.0/package.nls.json`]: json({ t: 'LLM Runner' }),
      [`${extensions}/acme.described-2.0.0/package.json`]: manifest('described', {
        description: '%d.e%',
      }),
      [`${extensions}/acme.described-2.0.0/package.nls.json`]: json({
        'd.e': { message: 'Chat with large language models', comment: [] },
      }),
      // A name that differs from its folder's, a formatter, a removed version.
      [`${extensions}/acme.moved-2.0.0/package.json`]: manifest('other', { categories: ['AI'] }),
      [`${extensions}/acme.format-2.0.0/package.json`]: manifest('format', { keywords: ['ai'] }),
      [`${extensions}/acme.old-2.0.0/package.json`]: manifest('old', { categories: ['AI'] }),
      [`${extensions}/.obsolete`]: json({ 'acme.old-2.0.0': true }),
    }),
  ).toEqual([
    ['editor_extension', 'Helper', null, '2.0.0', 0.92],
    ['editor_extension', 'LLM Runner', null, '2.0.0', 0.92],
    ['editor_extension', 'acme.described', null, '2.0.0', 0.92],
  ]);
});

test('a browser extension is recognized by its name, unless it blocks AI', async () => {
  const extension = (id: string, name: string) => ({
    [`${ADA}/.config/google-chrome/Default/Extensions/${id.repeat(32)}/1.0_0/manifest.json`]: json({
      manifest_version: 3,
      name,
      version: '1.0',
    }),
  });
  expect(
    await found({
      [`${ADA}/.config/google-chrome/Default/Preferences`]: '{}',
      ...extension('a', 'Acme AI Writer'),
      ...extension('b', 'AI Blocker'),
      ...extension('c', 'Tabs'),
    }),
  ).toEqual([['browser_extension', 'Acme AI Writer', null, '1.0', 0.92]]);
});

test('a program outside the catalog is recognized by its package', async () => {
  const modules = `${ADA}/.npm-global/lib/node_modules`;
  const tools = `${ADA}/.local/share/uv/tools`;
  const metadata = (name: string, summary: string, words: string) =>
    `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.5\nSummary: ${summary}\nKeywords: ${words}\n\nText\n`;
  expect(
    await found({
      [`${modules}/@acme/agent/package.json`]: json({
        name: '@acme/agent',
        version: '1.0.0',
        description: 'A coding agent',
        keywords: ['llm', 'cli'],
        bin: { acme: 'acme.js' },
      }),
      [`${modules}/acme-lib/package.json`]: json({
        name: 'acme-lib',
        keywords: ['llm', 'openai'],
      }),
      [`${modules}/wrangle/package.json`]: json({ name: 'wrangle', keywords: ['ai'], bin: 'x.js' }),
      [`${tools}/acme-mcp/lib/python3.12/site-packages/acme_mcp-1.5.dist-info/METADATA`]: metadata(
        'acme-mcp',
        'MCP server for Acme',
        'acme,mcp',
      ),
      [`${tools}/black/lib/python3.12/site-packages/black-1.5.dist-info/METADATA`]: metadata(
        'black',
        'The uncompromising code formatter.',
        'automation,formatter',
      ),
      // A tool of the catalog is reported once, under its name in the catalog.
      [`${tools}/aider-chat/bin/aider`]: program(),
      [`${tools}/aider-chat/lib/python3.12/site-packages/aider_chat-1.5.dist-info/METADATA`]:
        metadata('aider-chat', 'Aider is AI pair programming in your terminal', 'ai,llm'),
    }),
  ).toEqual([
    ['cli', '@acme/agent', null, '1.0.0', 0.92],
    ['cli', 'Aider', 'aider', '1.5', 0.86],
    ['cli', 'acme-mcp', null, '1.5', 0.92],
  ]);
});

test('a program is recognized by a README that says more than its summary', async () => {
  const modules = `${ADA}/.npm-global/lib/node_modules`;
  const tools = `${ADA}/.local/share/uv/tools`;
  const npm = (name: string, readme: string) => ({
    [`${modules}/${name}/package.json`]: json({ name, version: '1.0.0', bin: 'cli.js' }),
    [`${modules}/${name}/README.md`]: readme,
  });
  const uv = (name: string, readme: string) => ({
    [`${tools}/${name}/lib/python3.12/site-packages/${name}-1.0.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\nSummary: Acme\n\n${readme}`,
  });
  const about = '# Acme\n\n[![build](x.svg)](x)\n\nA harness for **coding agents**.';
  const other = `# Acme\n\n${'A task runner. '.repeat(30)}It also runs in Claude Code.`;
  expect(
    await found({
      ...npm('acme-one', about),
      ...npm('acme-two', other),
      ...uv('acme_three', about),
      ...uv('acme_four', other),
    }),
  ).toEqual([
    ['cli', 'acme-one', null, '1.0.0', 0.76],
    ['cli', 'acme_three', null, '1.0', 0.76],
  ]);
});

test("a tool whose catalog entry has only its package is found whatever its programs' names", async () => {
  const modules = `${ADA}/.npm-global/lib/node_modules`;
  const tools = `${ADA}/.local/share/uv/tools`;
  const pipLike = (name: string) => `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.5\n\nText\n`;
  expect(
    await found({
      [`${modules}/pupt/package.json`]: json({ name: 'pupt', version: '1.0.0', bin: { pt: 'x' } }),
      [`${tools}/swebench/lib/python3.12/site-packages/swebench-1.5.dist-info/METADATA`]:
        pipLike('swebench'),
      // A library with this name, a folder with another package, a similar name.
      [`${modules}/takt/package.json`]: json({ name: 'takt', version: '1.0.0' }),
      [`${modules}/wile/package.json`]: json({ name: 'other', version: '1.0.0', bin: 'x' }),
      [`${modules}/pupts/package.json`]: json({ name: 'pupts', version: '1.0.0', bin: 'x' }),
      [`${tools}/harbor/lib/python3.12/site-packages/harbor-1.5.dist-info/METADATA`]:
        pipLike('harbour'),
    }),
  ).toEqual([
    ['cli', 'pupt', 'npm-pupt', '1.0.0', 0.92],
    ['cli', 'swebench', 'pypi-swebench', '1.5', 0.92],
  ]);
});

test('a Vim plugin is recognized by the name of its repository', async () => {
  const cloned = (repository: string) =>
    `[remote "origin"]\n\turl = https://github.com/${repository}\n`;
  const plugins = `${ADA}/.local/share/nvim/lazy`;
  expect(
    await found({
      [`${plugins}/gpt.nvim/.git/config`]: cloned('acme/gpt.nvim.git'),
      [`${plugins}/mini.ai/.git/config`]: cloned('echasnovski/mini.ai'),
      [`${plugins}/unknown/.git/config`]: '[core]',
    }),
  ).toEqual([['editor_extension', 'acme/gpt.nvim', null, null, 0.92]]);
});

test('a program is recognized by its library, however it was installed', async () => {
  const modules = `${ADA}/.npm-global/lib/node_modules`;
  const site = `${ADA}/.local/lib/python3.12/site-packages`;
  const distribution = (name: string, lines: string, isRequested: boolean) => ({
    [`${site}/${name}-1.0.dist-info/METADATA`]: `Name: ${name}\nVersion: 1.0\n${lines}\n\nText`,
    [`${site}/${name}-1.0.dist-info/entry_points.txt`]: `[console_scripts]\n${name} = ${name}:main\n`,
    ...(isRequested ? { [`${site}/${name}-1.0.dist-info/REQUESTED`]: '' } : {}),
  });
  const npm = (name: string, dependencies: object) => ({
    [`${modules}/${name}/package.json`]: json({
      name,
      version: '1.0.0',
      description: 'Writes notes',
      bin: 'x.js',
      dependencies,
    }),
  });
  expect(
    await found({
      ...npm('noter', { openai: '^5.0.0' }),
      ...npm('plain', { chalk: '^5.0.0' }),
      ...distribution('scribe', 'Summary: Notes\nRequires-Dist: anthropic>=1', true),
      ...distribution('teller', 'Summary: Chat with ChatGPT and Claude in the terminal', true),
      // A dependency of another package, a dependency of an extra, and a package about something
      // else.
      ...distribution('brought', 'Summary: Chat with ChatGPT', false),
      ...distribution('extra', "Summary: Notes\nRequires-Dist: openai; extra == 'ai'", true),
      ...distribution('sshagent', 'Summary: Forwards your ssh agent', true),
    }),
  ).toEqual([
    ['cli', 'noter', null, '1.0.0', 0.92],
    ['cli', 'scribe', null, '1.0', 0.92],
    ['cli', 'teller', null, '1.0', 0.92],
  ]);
});

test('Homebrew packages are recognized by the description of their formula or cask', async () => {
  const prefix = '/home/linuxbrew/.linuxbrew';
  const keg = (name: string, desc: string, isRequested = true) => ({
    [`${prefix}/Cellar/${name}/1.2/.brew/${name}.rb`]: `class X < Formula\n  desc "${desc}"\nend\n`,
    [`${prefix}/Cellar/${name}/1.2/INSTALL_RECEIPT.json`]: json({
      installed_on_request: isRequested,
    }),
    [`${prefix}/Cellar/${name}/1.2/bin/${name}`]: program(),
  });
  const cask = (name: string, fields: object) => ({
    [`${prefix}/Caskroom/${name}/.metadata/1.0/2026/Casks/${name}.json`]: json(fields),
  });
  expect(
    await found({
      ...keg('acme-helper', 'AI assistant for the terminal'),
      ...keg('acme-partitions', 'Tool for GPT partition tables'),
      ...keg('acme-library', 'Library for LLMs', false),
      ...cask('acme-chat', { desc: 'Client for ChatGPT', artifacts: [{ app: ['Acme.app'] }] }),
    }),
  ).toEqual([
    ['cli', 'acme-helper', null, '1.2', 0.76],
    ['desktop_app', 'acme-chat', null, null, 0.76],
  ]);
});

test('an app of the catalog is recognized by its cask, unless its bundle id is found', async () => {
  const installed = (token: string, desc: string, app: string, id?: string) => ({
    [`/opt/homebrew/Caskroom/${token}/.metadata/1.0/2026/Casks/${token}.json`]: json({
      desc,
      artifacts: [{ app: [`${app}.app`] }],
    }),
    ...(id === undefined
      ? {}
      : {
          [`/Applications/${app}.app/Contents/Info.plist`]: infoPlist({ CFBundleIdentifier: id }),
        }),
  });
  await using root = await makeRoot({
    ...installed('jamie', 'Meeting notes', 'Jamie', 'com.jamie.app'),
    // A bundle id that the catalog does not have yet, an app in a place that is not searched,
    // another cask with an app of this name.
    ...installed('hedy', 'Meeting coach', 'Hedy', 'com.acme.changed'),
    ...installed('rayon', 'Drawing', 'Rayon'),
    ...installed('acme-petdex', 'Desktop pet', 'Petdex'),
  });
  const { apps } = await scanInventory({ homes: [], root: root.dir, platform: 'darwin' });
  expect(apps.map((app) => [app.catalog_id, app.path, app.confidence])).toEqual([
    ['hedy', '/opt/homebrew/Caskroom/hedy', 0.92],
    ['jamie', '/Applications/Jamie.app', 0.94],
    ['rayon', '/opt/homebrew/Caskroom/rayon', 0.92],
  ]);
});

test('a desktop app is recognized by its desktop entry, if the program exists', async () => {
  const entry = (name: string, comment: string, exec: string, more = '') => ({
    [`/usr/share/applications/${name}.desktop`]: `[Desktop Entry]\nType=Application\nName=${name}\nComment=${comment}\nExec=${exec}\n${more}\n[Desktop Action x]\nName=AI chat\n`,
  });
  expect(
    await found({
      '/opt/acme/acme': program(),
      ...entry('Acme', 'AI chat with local models', '"/opt/acme/acme" %U'),
      ...entry('Gone', 'AI chat with local models', '/opt/gone/gone %U'),
      ...entry('Hidden', 'AI chat with local models', '/opt/acme/acme', 'Hidden=true'),
      ...entry('Disks', 'Edit GPT partition tables', '/opt/acme/acme'),
      ...entry('Chat', 'Internet Relay Chat client', '/opt/acme/acme'),
    }),
  ).toEqual([['desktop_app', 'Acme', null, null, 0.76]]);
});

test('a Vim plugin is recognized by the beginning of its README', async () => {
  const plugin = (name: string, readme: string) => ({
    [`${ADA}/.local/share/nvim/lazy/${name}/.git/config`]: `[remote "origin"]\n\turl = https://github.com/acme/${name}\n`,
    [`${ADA}/.local/share/nvim/lazy/${name}/README.md`]: readme,
  });
  expect(
    await found({
      ...plugin('magenta.nvim', '# magenta\n\n![x](y)\n\nA **coding agent** beside your code.\n'),
      ...plugin('nightly.nvim', '# nightly\n\nA theme, also for chats with an AI assistant.\n'),
      ...plugin('oil.nvim', '# oil\n\nEdit folders as text.\n'),
    }),
  ).toEqual([['editor_extension', 'acme/magenta.nvim', null, null, 0.76]]);
});
