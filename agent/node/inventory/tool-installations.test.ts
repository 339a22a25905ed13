import { truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { executable, json, makeRoot, program, type FakeFile } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];
const ADA = '/home/ada';

const npm = (modules: string, name: string, version: string, file = 'cli.js') => ({
  [`${modules}/${name}/package.json`]: json({ name, version }),
  [`${modules}/${name}/${file}`]: program(),
});

/** Returns a global npm package below a prefix, and the link to its program. */
const global = (prefix: string, name: string, version: string, binary: string) => ({
  ...npm(`${prefix}/lib/node_modules`, name, version),
  [`${prefix}/bin/${binary}`]: { link: `../lib/node_modules/${name}/cli.js` },
});

const metadata = (name: string, version: string) =>
  `Metadata-Version: 2.4\nName: ${name}\nVersion: ${version}\n\ntext\n`;

/** Returns a Python distribution below a prefix. */
const python = (prefix: string, binary: string, name: string, version: string) => ({
  [`${prefix}/bin/${binary}`]: program('#!/usr/bin/python3\n'),
  [`${prefix}/lib/python3.12/site-packages/${name.replaceAll('-', '_')}-${version}.dist-info/METADATA`]:
    metadata(name, version),
});

const cellar = (prefix: string, name: string, version: string, binary: string) => ({
  [`${prefix}/Cellar/${name}/${version}/bin/${binary}`]: program(),
  [`${prefix}/bin/${binary}`]: { link: `${prefix}/Cellar/${name}/${version}/bin/${binary}` },
});

const goProgram = (path: string, version: string) =>
  executable(
    `\u00FF Go buildinf:\u0008\u0002${'\u0000'.repeat(16)}\u0006go1.24\u0000path\t${path}\nmod\t${path}\t${version}\th1:x=\n`,
  );

const deb = (name: string, version: string, file: string) => ({
  [file]: program(),
  '/var/lib/dpkg/status': `Package: ${name}\nStatus: install ok installed\nVersion: ${version}\n`,
  [`/var/lib/dpkg/info/${name}.list`]: `/.\n${file}\n`,
});

type Row = [string, Record<string, FakeFile>, string, string | null];

test.each<Row>([
  [
    'npm of the system',
    global('/usr/local', '@openai/codex', '0.169.0', 'codex'),
    'codex-cli',
    '0.169.0',
  ],
  [
    'npm in a project',
    {
      ...npm(`${ADA}/src/app/node_modules`, '@openai/codex', '0.169.0'),
      [`${ADA}/src/app/node_modules/.bin/codex`]: { link: '../@openai/codex/cli.js' },
      [`${ADA}/src/app/AGENTS.md`]: '',
    },
    'codex-cli',
    '0.169.0',
  ],
  [
    'pnpm in a project',
    {
      ...npm(`${ADA}/src/app/node_modules`, '@openai/codex', '0.169.0'),
      [`${ADA}/src/app/node_modules/.bin/codex`]: program('#!/bin/sh\n'),
      [`${ADA}/src/app/AGENTS.md`]: '',
    },
    'codex-cli',
    '0.169.0',
  ],
  [
    'a virtual environment of a project',
    {
      ...python(`${ADA}/src/app/.venv`, 'aider', 'aider-chat', '0.86.1'),
      [`${ADA}/src/app/AGENTS.md`]: '',
    },
    'aider',
    '0.86.1',
  ],
  [
    'npm with a prefix',
    global(`${ADA}/.npm-global`, '@google/gemini-cli', '0.61.0', 'gemini'),
    'gemini-cli',
    '0.61.0',
  ],
  [
    'nvm',
    global(`${ADA}/.nvm/versions/node/v24.1.0`, '@anthropic-ai/claude-code', '2.1.0', 'claude'),
    'claude-code',
    '2.1.0',
  ],
  [
    'fnm',
    global(`${ADA}/.local/share/fnm/node-versions/v24.1.0/installation`, 'cline', '3.0.4', 'cline'),
    'cline-cli',
    '3.0.4',
  ],
  ['n', global(`${ADA}/n`, '@qwen-code/qwen-code', '0.24.4', 'qwen'), 'qwen-code', '0.24.4'],
  [
    'nodenv',
    global(`${ADA}/.nodenv/versions/24.1.0`, 'opencommit', '3.2.0', 'oco'),
    'opencommit',
    '3.2.0',
  ],
  [
    'asdf',
    global(`${ADA}/.asdf/installs/nodejs/24.1.0`, '@google/jules', '0.1.0', 'jules'),
    'jules',
    '0.1.0',
  ],
  [
    'mise with Node',
    global(`${ADA}/.local/share/mise/installs/node/24.1.0`, 'droid', '0.2.0', 'droid'),
    'droid',
    '0.2.0',
  ],
  [
    'mise with npm',
    global(
      `${ADA}/.local/share/mise/installs/npm-openai-codex/0.1.2`,
      '@openai/codex',
      '0.1.2',
      'codex',
    ),
    'codex-cli',
    '0.1.2',
  ],
  [
    'mise with a release',
    {
      [`${ADA}/.local/share/mise/installs/goose/1.9.0/goose`]: executable(
        'GOOSE_PROVIDER GOOSE_MODE',
      ),
    },
    'goose',
    null,
  ],
  [
    'volta',
    {
      [`${ADA}/.volta/bin/gemini`]: { link: 'volta-shim' },
      [`${ADA}/.volta/bin/volta-shim`]: program(),
      ...npm(
        `${ADA}/.volta/tools/image/packages/@google/gemini-cli/lib/node_modules`,
        '@google/gemini-cli',
        '0.60.0',
      ),
    },
    'gemini-cli',
    '0.60.0',
  ],
  [
    'pnpm',
    {
      [`${ADA}/.local/share/pnpm/codex`]: program(),
      ...npm(`${ADA}/.local/share/pnpm/global/5/node_modules`, '@openai/codex', '0.150.0'),
    },
    'codex-cli',
    '0.150.0',
  ],
  [
    'pnpm with a folder for each',
    {
      [`${ADA}/.local/share/pnpm/bin/cn`]: program(),
      ...npm(`${ADA}/.local/share/pnpm/global/v11/abc/node_modules`, '@continuedev/cli', '1.5.0'),
    },
    'continue-cli',
    '1.5.0',
  ],
  [
    'bun',
    {
      ...npm(`${ADA}/.bun/install/global/node_modules`, 'opencode-ai', '1.18.0'),
      [`${ADA}/.bun/bin/opencode`]: { link: '../install/global/node_modules/opencode-ai/cli.js' },
    },
    'opencode',
    '1.18.0',
  ],
  [
    'yarn',
    {
      ...npm(`${ADA}/.config/yarn/global/node_modules`, 'aicommits', '1.11.0'),
      [`${ADA}/.yarn/bin/aicommits`]: {
        link: `${ADA}/.config/yarn/global/node_modules/aicommits/cli.js`,
      },
    },
    'aicommits',
    '1.11.0',
  ],
  [
    'npx',
    {
      ...npm(`${ADA}/.npm/_npx/0a1b/node_modules`, 'repomix', '1.2.0'),
      [`${ADA}/.npm/_npx/0a1b/node_modules/.bin/repomix`]: { link: '../repomix/cli.js' },
    },
    'repomix',
    '1.2.0',
  ],
  [
    'a native program in a package of its own',
    {
      ...npm('/usr/local/lib/node_modules', 'droid', '0.225.1'),
      '/usr/local/lib/node_modules/droid/node_modules/@factory/cli-linux-x64/bin/droid': program(),
      '/usr/local/bin/droid': {
        link: '../lib/node_modules/droid/node_modules/@factory/cli-linux-x64/bin/droid',
      },
    },
    'droid',
    '0.225.1',
  ],
  ['pip --user', python(`${ADA}/.local`, 'sgpt', 'shell-gpt', '1.4.5'), 'shell-gpt', '1.4.5'],
  ['pip of the system', python('/usr/local', 'aider', 'aider-chat', '0.86.1'), 'aider', '0.86.1'],
  ['pyenv', python(`${ADA}/.pyenv/versions/3.12.1`, 'gptme', 'gptme', '0.27.0'), 'gptme', '0.27.0'],
  [
    'pipx',
    {
      ...python(`${ADA}/.local/share/pipx/venvs/llm`, 'llm', 'llm', '0.27.1'),
      [`${ADA}/.local/bin/llm`]: { link: `${ADA}/.local/share/pipx/venvs/llm/bin/llm` },
    },
    'llm',
    '0.27.1',
  ],
  [
    'uv tool',
    {
      ...python(`${ADA}/.local/share/uv/tools/mistral-vibe`, 'vibe', 'mistral-vibe', '2.3.0'),
      [`${ADA}/.local/bin/vibe`]: { link: `${ADA}/.local/share/uv/tools/mistral-vibe/bin/vibe` },
    },
    'mistral-vibe',
    '2.3.0',
  ],
  [
    'conda',
    python(`${ADA}/miniconda3`, 'interpreter', 'open-interpreter', '0.4.3'),
    'open-interpreter',
    '0.4.3',
  ],
  [
    'an environment of conda',
    python(`${ADA}/miniforge3/envs/ai`, 'kimi', 'kimi-cli', '0.5.0'),
    'kimi-cli',
    '0.5.0',
  ],
  [
    'Debian with egg-info',
    {
      '/usr/bin/llm': program('#!/usr/bin/python3\n'),
      '/usr/lib/python3/dist-packages/llm-0.16.egg-info/PKG-INFO': metadata('llm', '0.16'),
    },
    'llm',
    '0.16',
  ],
  [
    'Homebrew on Linux',
    cellar('/home/linuxbrew/.linuxbrew', 'block-goose-cli', '1.9.0', 'goose'),
    'goose',
    '1.9.0',
  ],
  [
    'Homebrew on a Mac',
    cellar('/usr/local', 'opencode', '1.18.1', 'opencode'),
    'opencode',
    '1.18.1',
  ],
  [
    'Homebrew in a home',
    cellar(`${ADA}/.linuxbrew`, 'aichat', '0.30.0', 'aichat'),
    'aichat',
    '0.30.0',
  ],
  [
    'cargo',
    {
      [`${ADA}/.cargo/bin/aichat`]: program(),
      [`${ADA}/.cargo/.crates.toml`]:
        '[v1]\n"aichat 0.30.0 (registry+https://index.example)" = ["aichat"]\n',
    },
    'aichat',
    '0.30.0',
  ],
  [
    'go install',
    { [`${ADA}/go/bin/crush`]: goProgram('github.com/charmbracelet/crush', 'v0.9.2') },
    'crush',
    '0.9.2',
  ],
  [
    'a release of a Go program',
    { '/usr/local/bin/mcphost': goProgram('github.com/mark3labs/mcphost', '(devel)') },
    'mcphost',
    null,
  ],
  ['deb', deb('crush', '0.9.2', '/usr/bin/crush'), 'crush', '0.9.2'],
  [
    'snap',
    {
      '/snap/alpaca/current/meta/snap.yaml': 'name: alpaca\nversion: "8.0"\n',
    },
    'alpaca',
    '8.0',
  ],
  [
    'flatpak',
    {
      '/var/lib/flatpak/app/io.github.qwersyk.Newelle/current/metadata': '',
      '/var/lib/flatpak/exports/share/applications/io.github.qwersyk.Newelle.desktop':
        '[Desktop Entry]\n',
    },
    'newelle',
    null,
  ],
  [
    "the tool's installer",
    {
      [`${ADA}/.local/share/claude/versions/2.0.5`]: program(),
      [`${ADA}/.local/bin/claude`]: { link: `${ADA}/.local/share/claude/versions/2.0.5` },
    },
    'claude-code',
    '2.0.5',
  ],
  [
    "the tool's installer under a new name",
    {
      [`${ADA}/.local/share/cursor-agent/versions/2026.09.18/cursor-agent`]: program(),
      [`${ADA}/.local/bin/agent`]: {
        link: `${ADA}/.local/share/cursor-agent/versions/2026.09.18/cursor-agent`,
      },
    },
    'cursor-cli',
    '2026.09.18',
  ],
  [
    'an installer that leaves one file',
    { [`${ADA}/.local/bin/goose`]: executable('x GOOSE_PROVIDER y GOOSE_MODE z') },
    'goose',
    null,
  ],
  [
    'a name of its own beside its folder',
    {
      [`${ADA}/.local/bin/kiro-cli`]: program(),
      [`${ADA}/.kiro/settings/cli.json`]: '{}',
    },
    'kiro-cli',
    null,
  ],
])('%s is found', async (_, files, id, version) => {
  await using root = await makeRoot(files);
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(apps.map((app) => [app.catalog_id, app.version])).toEqual([[id, version]]);
  expect(problems).toEqual([]);
});

test('a program is searched for its marks at any position', async () => {
  const large = executable(`${'x'.repeat(3 * 1024 * 1024)}GOOSE_PROVIDER GOOSE_MODE`);
  await using root = await makeRoot({ '/usr/local/bin/goose': large });
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(apps.map((app) => app.catalog_id)).toEqual(['goose']);
});

test('a program larger than any real one is not searched', async () => {
  await using root = await makeRoot({
    '/usr/local/bin/goose': executable('GOOSE_PROVIDER GOOSE_MODE'),
  });
  // A sparse file: only its apparent size is large.
  await truncate(`${root.dir}/usr/local/bin/goose`, 600 * 1024 * 1024);
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect({ apps, problems }).toEqual({ apps: [], problems: [] });
});

test('folders with programs alone make no project', async () => {
  await using root = await makeRoot({
    ...npm(`${ADA}/src/app/node_modules`, '@openai/codex', '0.169.0'),
    [`${ADA}/src/app/node_modules/.bin/codex`]: { link: '../@openai/codex/cli.js' },
  });
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(apps).toEqual([]);
});
