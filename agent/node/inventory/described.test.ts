import { expect, test } from 'vitest';
import { json, makeRoot, program, type FakeFile } from './testing/fixtures.ts';
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
      // Another name than its folder's, a formatter, a removed version.
      [`${extensions}/acme.moved-2.0.0/package.json`]: manifest('other', { categories: ['AI'] }),
      [`${extensions}/acme.format-2.0.0/package.json`]: manifest('format', { keywords: ['ai'] }),
      [`${extensions}/acme.old-2.0.0/package.json`]: manifest('old', { categories: ['AI'] }),
      [`${extensions}/.obsolete`]: json({ 'acme.old-2.0.0': true }),
    }),
  ).toEqual([
    ['editor_extension', 'Helper', null, '2.0.0', 0.92],
    ['editor_extension', 'LLM Runner', null, '2.0.0', 0.92],
  ]);
});

test('a browser extension by its name, and none that blocks AI', async () => {
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

test('a program that the catalog does not know, by what its package says', async () => {
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
      // A tool of the catalog is reported once, under its name there.
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

test('a plugin of Vim by the name of its repository', async () => {
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
