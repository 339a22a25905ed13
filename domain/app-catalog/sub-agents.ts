import { agentFilesOf, docs, inEach, managedClaude, userPrompts } from './agent-file-entry.ts';
import type { AgentFile } from './loaded-entry.ts';

const subAgents = agentFilesOf('sub_agent', 'sub agents');

/** Definitions of agents that another agent starts. */
export const subAgentFiles: readonly AgentFile[] = [
  subAgents('claude-code', `${docs.claude}/sub-agents`, {
    home: ['.claude/agents/*.md', '.claude/agents/*/*.md'],
    project: ['.claude/agents/*.md', '.claude/agents/*/*.md'],
    managed: inEach(managedClaude, '.claude/agents/*.md'),
    plugin: ['agents/*.md', 'agents/*/*.md'],
  }),
  subAgents('codex-cli', `${docs.codex}/subagents`, {
    home: ['.codex/agents/*.toml'],
    project: ['.codex/agents/*.toml'],
  }),
  subAgents('gemini-cli', 'https://geminicli.com/docs/core/subagents', {
    home: ['.gemini/agents/*.md'],
    project: ['.gemini/agents/*.md'],
    plugin: ['agents/*.md'],
  }),
  subAgents('github-copilot', `${docs.vscode}/custom-agents`, {
    home: [...userPrompts('.agent.md'), ...userPrompts('.chatmode.md')],
    project: ['.github/agents/*.md', '.github/chatmodes/*.chatmode.md'],
  }),
  subAgents('copilot-cli', `${docs.copilot}/how-tos/copilot-cli`, {
    home: ['.copilot/agents/*.md'],
  }),
  subAgents('cursor', `${docs.cursor}/subagents`, {
    home: ['.cursor/agents/*.md'],
    project: ['.cursor/agents/*.md'],
  }),
  subAgents('roo-code', `${docs.roo}/custom-modes`, {
    home: ['Code', 'Code - Insiders', 'Cursor', 'VSCodium', 'Windsurf'].map(
      (editor) =>
        `{app-data}/${editor}/User/globalStorage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml`,
    ),
    project: ['.roomodes'],
  }),
  subAgents('kilo-code', `${docs.kilo}/customize/custom-modes`, {
    home: ['.config/kilo/agents/*.md', '.kilo/agents/*.md'],
    project: ['.kilocodemodes', '.kilo/agents/*.md', '.kilocode/agents/*.md'],
  }),
  subAgents('continue', `${docs.continue}/agents`, {
    home: ['.continue/agents/*.yaml', '.continue/agents/*.md'],
    project: ['.continue/agents/*.yaml', '.continue/agents/*.md'],
  }),
  subAgents('opencode', `${docs.opencode}/agents`, {
    home: [
      '.config/opencode/agent/*.md',
      '.config/opencode/agents/*.md',
      '.config/opencode/mode/*.md',
    ],
    project: [
      '.opencode/agent/*.md',
      '.opencode/agents/*.md',
      '.opencode/mode/*.md',
      '.opencode/modes/*.md',
    ],
  }),
  subAgents('goose', 'https://block.github.io/goose/docs/guides/subagents', {
    home: ['.config/goose/agents/*.md', '.goose/agents/*.md'],
    project: ['.goose/agents/*.md'],
  }),
  subAgents('kiro', `${docs.kiro}/cli/custom-agents`, {
    home: ['.kiro/agents/*.json', '.kiro/agents/*.md'],
    project: ['.kiro/agents/*.json', '.kiro/agents/*.md'],
  }),
  subAgents('amazon-q-cli', 'https://github.com/aws/amazon-q-developer-cli', {
    home: ['.aws/amazonq/cli-agents/*.json'],
    project: ['.amazonq/cli-agents/*.json'],
  }),
  subAgents('qwen-code', `${docs.qwen}/sub-agents`, {
    home: ['.qwen/agents/*.md'],
    project: ['.qwen/agents/*.md'],
    plugin: ['agents/*.md'],
  }),
  subAgents('droid', `${docs.droid}/custom-droids`, {
    home: ['.factory/droids/*.md'],
    project: ['.factory/droids/*.md'],
  }),
  subAgents('auggie', 'https://docs.augmentcode.com/cli/subagents', {
    home: ['.augment/agents/*.md'],
    project: ['.augment/agents/*.md'],
  }),
  subAgents('junie', 'https://junie.jetbrains.com/docs/custom-subagents.html', {
    home: ['.junie/agents/*.md'],
    project: ['.junie/agents/*.md'],
  }),
  subAgents('trae', 'https://docs.trae.ai/ide/agent', {
    home: ['.trae/agents/*.md'],
    project: ['.trae/agents/*.md'],
  }),
  subAgents('mistral-vibe', 'https://github.com/mistralai/mistral-vibe', {
    home: ['.vibe/agents/*.toml'],
    project: ['.vibe/agents/*.toml'],
  }),
  subAgents('qoder', 'https://docs.qoder.com/cli/using-cli', {
    home: ['.qoder/agents/*.md'],
    project: ['.qoder/agents/*.md'],
  }),
  subAgents('iflow-cli', 'https://platform.iflow.cn/en/cli', {
    home: ['.iflow/agents/*.md'],
    project: ['.iflow/agents/*.md'],
  }),
  subAgents('codebuddy-code', 'https://www.codebuddy.ai/docs/cli', {
    home: ['.codebuddy/agents/*.md'],
    project: ['.codebuddy/agents/*.md'],
  }),
  subAgents('rovo-dev', 'https://support.atlassian.com/rovo/docs/use-rovo-dev-cli', {
    home: ['.rovodev/subagents/*.md'],
    project: ['.rovodev/subagents/*.md'],
  }),
  subAgents('cline', `${docs.cline}/features/subagents`, {
    home: ['.cline/agents/*.md'],
    project: ['.cline/agents/*.md'],
  }),
  subAgents('antigravity', 'https://antigravity.google/docs/agents', {
    home: ['.gemini/config/agents/*.md'],
    project: ['.agents/agents/*.md'],
  }),
  subAgents('deepagents', 'https://docs.langchain.com/oss/python/deepagents/cli', {
    home: ['.deepagents/agents/*.md', '.deepagents/*/agents/*.md'],
    project: ['.deepagents/agents/*.md'],
  }),
  subAgents('devin-cli', 'https://docs.devin.ai/cli', {
    home: ['.config/devin/agents/*.md', '.config/devin/agents/*/AGENT.md'],
    project: ['.devin/agents/*.md', '.devin/agents/*/AGENT.md'],
  }),
  subAgents('grok-cli', 'https://github.com/superagent-ai/grok-cli', {
    home: ['.grok/agents/*.md'],
    project: ['.grok/agents/*.md'],
  }),
  subAgents('kimi-cli', 'https://moonshotai.github.io/kimi-cli/en/customization/agents.html', {
    home: ['.kimi-code/agents/*.md', '.kimi/agents/*.yaml'],
    project: ['.kimi-code/agents/*.md'],
  }),
];
