import {
  agentFilesOf,
  docs,
  inEach,
  managedClaude,
  managedWindsurf,
  userPrompts,
} from './agent-file-entry.ts';
import type { AgentFile } from './loaded-entry.ts';

const commands = agentFilesOf('skill', 'commands');

/** Prompts that a person starts by name: skills that consist of one file. */
export const slashCommands: readonly AgentFile[] = [
  commands('claude-code', `${docs.claude}/slash-commands`, {
    home: ['.claude/commands/*.md', '.claude/commands/*/*.md'],
    project: ['.claude/commands/*.md', '.claude/commands/*/*.md'],
    managed: inEach(managedClaude, '.claude/commands/*.md'),
    plugin: ['commands/*.md', 'commands/*/*.md'],
  }),
  commands('codex-cli', `${docs.codex}/custom-prompts`, { home: ['.codex/prompts/*.md'] }),
  commands('gemini-cli', `${docs.gemini}/custom-commands`, {
    home: ['.gemini/commands/*.toml', '.gemini/commands/*/*.toml'],
    project: ['.gemini/commands/*.toml', '.gemini/commands/*/*.toml'],
    plugin: ['commands/*.toml', 'commands/*/*.toml'],
  }),
  commands('github-copilot', `${docs.vscode}/prompt-files`, {
    home: userPrompts('.prompt.md'),
    project: ['.github/prompts/*.prompt.md'],
  }),
  commands('cursor', 'https://cursor.com/docs/agent/chat/commands', {
    home: ['.cursor/commands/*.md'],
    project: ['.cursor/commands/*.md', '.cursor/commands/*/*.md'],
  }),
  commands('windsurf', `${docs.windsurf}/workflows`, {
    home: ['.codeium/windsurf/global_workflows/*.md'],
    project: ['.windsurf/workflows/*.md'],
    managed: inEach(managedWindsurf, 'workflows/*.md'),
  }),
  commands('cline', `${docs.cline}/features/slash-commands/workflows`, {
    home: ['Documents/Cline/Workflows/*.md', '.cline/data/workflows/*.md'],
    project: ['.clinerules/workflows/*.md'],
  }),
  commands('roo-code', `${docs.roo}/slash-commands`, {
    home: ['.roo/commands/*.md'],
    project: ['.roo/commands/*.md'],
  }),
  commands('kilo-code', `${docs.kilo}/customize/workflows`, {
    home: ['.kilocode/workflows/*.md', '.config/kilo/commands/*.md'],
    project: ['.kilocode/workflows/*.md', '.kilo/commands/*.md'],
  }),
  commands('continue', `${docs.continue}/prompts`, {
    home: ['.continue/prompts/*.md', '.continue/prompts/*.prompt'],
    project: ['.continue/prompts/*.md', '.continue/prompts/*.prompt'],
  }),
  commands('opencode', `${docs.opencode}/commands`, {
    home: ['.config/opencode/command/*.md', '.config/opencode/commands/*.md'],
    project: ['.opencode/command/*.md', '.opencode/commands/*.md'],
  }),
  commands('amp', docs.amp, {
    home: ['.config/amp/commands/*.md'],
    project: ['.agents/commands/*.md'],
  }),
  commands('goose', 'https://block.github.io/goose/docs/guides/recipes', {
    home: ['.config/goose/recipes/*.yaml'],
    project: ['.goose/recipes/*.yaml'],
  }),
  commands('kiro', `${docs.kiro}/cli`, {
    home: ['.kiro/prompts/*.md'],
    project: ['.kiro/prompts/*.md'],
  }),
  commands('amazon-q-cli', 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug', {
    home: ['.aws/amazonq/prompts/*.md'],
    project: ['.amazonq/prompts/*.md'],
  }),
  commands('qwen-code', `${docs.qwen}/commands`, {
    home: ['.qwen/commands/*.toml', '.qwen/commands/*.md'],
    project: ['.qwen/commands/*.toml', '.qwen/commands/*.md'],
  }),
  commands('crush', docs.crush, {
    home: ['.config/crush/commands/*.md', '.crush/commands/*.md'],
    project: ['.crush/commands/*.md'],
  }),
  commands('droid', `${docs.droid}/custom-slash-commands`, {
    home: ['.factory/commands/*.md'],
    project: ['.factory/commands/*.md'],
  }),
  commands('auggie', 'https://docs.augmentcode.com/cli/custom-commands', {
    home: ['.augment/commands/*.md'],
    project: ['.augment/commands/*.md'],
  }),
  commands('junie', 'https://junie.jetbrains.com/docs/custom-slash-commands.html', {
    home: ['.junie/commands/*.md'],
    project: ['.junie/commands/*.md'],
  }),
  commands('antigravity', docs.antigravity, {
    home: [
      '.gemini/antigravity/global_workflows/*.md',
      '.gemini/antigravity-cli/global_workflows/*.md',
    ],
    project: ['.agent/workflows/*.md', '.agents/workflows/*.md'],
  }),
  commands('warp', 'https://docs.warp.dev/knowledge-and-collaboration/warp-drive/workflows', {
    home: ['.warp/workflows/*.yaml', '.warp/workflows/*.yml'],
    project: ['.warp/workflows/*.yaml', '.warp/workflows/*.yml'],
  }),
  commands('pi-agent', 'https://github.com/badlogic/pi-mono', {
    home: ['.pi/agent/prompts/*.md'],
    project: ['.pi/prompts/*.md'],
  }),
  commands('qoder', 'https://docs.qoder.com/cli/using-cli', {
    home: ['.qoder/commands/*.md'],
    project: ['.qoder/commands/*.md'],
  }),
  commands('iflow-cli', 'https://platform.iflow.cn/en/cli', {
    home: ['.iflow/commands/*.toml', '.iflow/commands/*.md'],
    project: ['.iflow/commands/*.toml', '.iflow/commands/*.md'],
  }),
  commands('codebuddy-code', 'https://www.codebuddy.ai/docs/cli', {
    home: ['.codebuddy/commands/*.md'],
    project: ['.codebuddy/commands/*.md'],
  }),
  commands('grok-cli', 'https://github.com/superagent-ai/grok-cli', {
    home: ['.grok/commands/*.md'],
    project: ['.grok/commands/*.md'],
  }),
  commands('rovo-dev', 'https://support.atlassian.com/rovo/docs/use-rovo-dev-cli', {
    home: ['.rovodev/prompts/*.md'],
    project: ['.rovodev/prompts/*.md'],
  }),
];
