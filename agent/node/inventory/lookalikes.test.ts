import { expect, test } from 'vitest';
import { executable, json, makeRoot, program, type FakeFile } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];
const ADA = '/home/ada';
const go = (path: string) =>
  executable(
    `\u00FF Go buildinf:\u0008\u0002${'\u0000'.repeat(16)}go1.24\npath\t${path}\nmod\t${path}\tv3.1.0\th1:x=\n`,
  );

/** Folders that products leave behind; by themselves they prove no program. */
const settings: Record<string, FakeFile> = Object.fromEntries(
  [
    '.claude/x',
    '.codex/x',
    '.gemini/x',
    '.gemini/antigravity/x',
    '.copilot/x',
    '.cursor/x',
    '.kiro/x',
    '.aws/amazonq/x',
    '.qwen/x',
    '.grok/x',
    '.vibe/x',
    '.kimi/x',
    '.devin/x',
    '.config/goose/x',
    '.local/share/goose/x',
    '.config/amp/x',
    '.config/crush/x',
    '.continue/x',
    '.cline/x',
    '.kilocode/x',
    '.augment/x',
    '.factory/x',
    '.hermes/x',
    '.pi/agent/x',
    '.letta/x',
    '.code/x',
    'forge/x',
    '.config/mods/x',
    '.config/fabric/x',
    '.chatgpt-cli/x',
    '.ai-shell/x',
    '.cache/whisper/x',
    '.cache/huggingface/x',
    '.happy/x',
    '.config/io.datasette.llm/x',
    '.claude-code-router/x',
    '.config/mini-swe-agent/x',
    '.iflow/x',
    '.junie/x',
    '.opencode/x',
    '.config/opencode/x',
    '.codebuddy/x',
    '.snowflake/cortex/x',
  ].map((path) => [`${ADA}/${path}`, 'x']),
);

const script = program('#!/bin/sh\n# CLAUDE_CODE_ENTRYPOINT GOOSE_PROVIDER GOOSE_MODE\nexit 1\n');
const at = (name: string, file: FakeFile = script, dir = `${ADA}/.local/bin`) => ({
  [`${dir}/${name}`]: file,
});

const described = (description: string) => ({
  [`${ADA}/.npm-global/lib/node_modules/acme/package.json`]: json({
    name: 'acme',
    version: '1.0.0',
    description,
    bin: 'acme.js',
  }),
});

test.each<[string, Record<string, FakeFile>]>([
  ['a converter of disks', described('Convert MBR to GPT without data loss')],
  ['GPT fdisk', described('GPT fdisk for the terminal')],
  ['a game by a person called Claude', described('A Sudoku solver by Claude Bernard')],
  ['a driver of chips', described('Driver for MCP 3008 converters')],
  ['a converter of drawings', described('Adobe AI to PDF converter')],
  [
    'the migration tool goose',
    at('goose', go('github.com/pressly/goose/v3/cmd/goose'), `${ADA}/go/bin`),
  ],
  ['the same from Debian', at('goose', executable('GOOSE_DRIVER GOOSE_DBSTRING'), '/usr/bin')],
  [
    'the same from Homebrew',
    {
      '/opt/homebrew/Cellar/goose/3.24/bin/goose': executable('GOOSE_DRIVER'),
      '/usr/local/bin/goose': { link: '/opt/homebrew/Cellar/goose/3.24/bin/goose' },
    },
  ],
  ['a goose that names one variable of the agent', at('goose', executable('GOOSE_MODE'))],
  ['q, text as data', at('q', executable('text as data'), '/usr/local/bin')],
  ['cn beside the extension of Continue', at('cn')],
  ['gemini, the client of the protocol', at('gemini', executable('gemini://'))],
  ['droid, which identifies files', at('droid')],
  ['hermes, the engine', at('hermes', executable('hermesvm'))],
  ['a script called claude', at('claude', script, `${ADA}/bin`)],
  ['a script in the folder of all users', at('claude', script, '/usr/local/bin')],
  [
    'a link to a script',
    {
      [`${ADA}/notes/run.sh`]: script,
      [`${ADA}/.local/bin/claude`]: { link: '../../notes/run.sh' },
    },
  ],
  ['codex, a reader of comics', at('codex')],
  ['copilot of AWS', at('copilot', go('github.com/aws/copilot-cli/cmd/copilot'))],
  [
    'the same from Homebrew',
    {
      '/home/linuxbrew/.linuxbrew/Cellar/copilot-cli/1.34/bin/copilot': program(),
      '/home/linuxbrew/.linuxbrew/bin/copilot': { link: '../Cellar/copilot-cli/1.34/bin/copilot' },
    },
  ],
  ['crush, which makes pictures smaller', at('crush', go('github.com/other/crush'))],
  ['a fork under another path', at('crush', go('github.com/charmbracelet/crush-fork'))],
  ['amp, the editor', at('amp', executable('amp editor'))],
  [
    'the same from Homebrew, under its plain name',
    {
      '/opt/homebrew/Cellar/amp/0.7.1/bin/amp': executable('amp editor'),
      '/usr/local/bin/amp': { link: '/opt/homebrew/Cellar/amp/0.7.1/bin/amp' },
    },
  ],
  ['vibe, the VPN', at('vibe')],
  ['kimi', at('kimi')],
  ['grok, the source browser', at('grok')],
  ['junie', at('junie')],
  ['qwen', at('qwen')],
  ['agent of SSH beside Cursor', at('agent', executable('ssh-agent'))],
  ['pi, the calculator', at('pi', executable('3.14159'), '/usr/bin')],
  ['mini', at('mini')],
  ['forge of Foundry', at('forge', executable('foundry'))],
  ['letta', at('letta')],
  ['code, the editor', at('code', script, '/usr/bin')],
  ['coder, the workspace', at('coder', go('github.com/coder/coder/v2/cmd/coder'))],
  ['llm', at('llm')],
  ['mods', at('mods', go('example.org/mods'))],
  ['fabric of Hyperledger', at('fabric', go('github.com/hyperledger/fabric'))],
  [
    'fabric of Python',
    {
      ...at('fabric'),
      [`${ADA}/.local/lib/python3.12/site-packages/fabric-3.2.dist-info/METADATA`]:
        'Name: fabric\nVersion: 3.2\n',
    },
  ],
  ['chatgpt', at('chatgpt')],
  ['ai', at('ai')],
  ['whisper', at('whisper')],
  ['hf', at('hf')],
  ['happy', at('happy')],
  ['cs', at('cs')],
  ['cr', at('cr')],
  ['interpreter', at('interpreter')],
  ['cortex', at('cortex', executable('cortex metrics'))],
  ['entire', at('entire')],
  [
    'an npm package of the same name and another scope',
    {
      [`${ADA}/.npm-global/lib/node_modules/@mallory/claude-code/package.json`]: json({
        name: '@mallory/claude-code',
        version: '9.9.9',
      }),
      [`${ADA}/.npm-global/lib/node_modules/@mallory/claude-code/cli.js`]: script,
      [`${ADA}/.npm-global/bin/claude`]: {
        link: '../lib/node_modules/@mallory/claude-code/cli.js',
      },
    },
  ],
  [
    'a package that calls itself otherwise',
    {
      [`${ADA}/.npm-global/lib/node_modules/@openai/codex/package.json`]: json({
        name: 'other',
        version: '1.0.0',
      }),
      [`${ADA}/.npm-global/bin/codex`]: { link: '../lib/node_modules/@openai/codex/package.json' },
    },
  ],
  [
    'a crate that brought another program',
    {
      [`${ADA}/.cargo/bin/zeroclaw`]: script,
      [`${ADA}/.cargo/.crates.toml`]:
        '[v1]\n"zeroclaw 0.1.0 (registry+https://index.example)" = ["other"]\n',
    },
  ],
  [
    'a folder called as that of Homebrew',
    {
      [`${ADA}/x/Cellar/opencode/1.0/bin/opencode`]: script,
      [`${ADA}/.local/bin/opencode`]: { link: `${ADA}/x/Cellar/opencode/1.0/bin/opencode` },
    },
  ],
  [
    'a snap of another name',
    { '/snap/bin/alpaca-hi': script, '/snap/other/current/meta/snap.yaml': 'name: alpaca\n' },
  ],
  [
    'a vim plugin of another repository',
    {
      [`${ADA}/.local/share/nvim/lazy/avante.nvim/.git/config`]:
        '[remote "origin"]\n\turl = https://github.com/mallory/avante.nvim\n',
    },
  ],
  [
    'a Zed extension in a folder of another name',
    {
      [`${ADA}/.local/share/zed/extensions/installed/other/extension.toml`]:
        'id = "mcp-server-github"\n',
    },
  ],
  [
    'a Zed extension without a server',
    {
      [`${ADA}/.local/share/zed/extensions/installed/html/extension.toml`]:
        'id = "html"\nname = "HTML"\n',
    },
  ],
])('%s is not reported', async (_, files) => {
  await using root = await makeRoot({ ...settings, ...files });
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(apps.map(({ catalog_id: id, evidence }) => [id, evidence])).toEqual([]);
});
