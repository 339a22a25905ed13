import {
  agentFilesOf,
  docs,
  inEach,
  managedClaude,
  managedWindsurf,
  userPrompts,
} from './agent-file-entry.ts';
import type { AgentFile } from './loaded-entry.ts';

/** Roo and Kilo read rules for each of their modes. Rules of user-defined modes are in folders. */
const modeFiles = (name: string) =>
  ['architect', 'ask', 'code', 'debug', 'orchestrator'].map((mode) => `${name}-${mode}`);

const instructions = agentFilesOf('instruction_file', 'instructions');

/** Files that agents read as their instructions. The first entry that matches a file wins. */
export const instructionFiles: readonly AgentFile[] = [
  // Shared by Codex, Cursor, Copilot, Amp, OpenCode and many other tools.
  {
    id: 'agents-md',
    name: 'AGENTS.md',
    vendor: 'Agentic AI Foundation',
    kind: 'instruction_file',
    source: 'https://agents.md',
    tool: null,
    home: ['AGENTS.md', '.config/AGENTS.md', '.agents/AGENTS.md'],
    project: ['AGENTS.md', 'AGENT.md', '.agents/AGENTS.md'],
  },
  instructions('claude-code', `${docs.claude}/memory`, {
    home: [
      '.claude/CLAUDE.md',
      '.claude/rules/*.md',
      '.claude/rules/*/*.md',
      '.claude/output-styles/*.md',
    ],
    project: [
      'CLAUDE.md',
      'CLAUDE.local.md',
      '.claude/CLAUDE.md',
      '.claude/rules/*.md',
      '.claude/rules/*/*.md',
      '.claude/output-styles/*.md',
    ],
    managed: inEach(managedClaude, 'CLAUDE.md', '.claude/rules/*.md'),
    plugin: ['output-styles/*.md'],
  }),
  instructions('codex-cli', `${docs.codex}/guides/agents-md`, {
    home: ['.codex/AGENTS.md', '.codex/AGENTS.override.md', '.codex/instructions.md'],
    project: ['AGENTS.override.md', '.codex/AGENTS.md', 'CODEX.md'],
  }),
  instructions('gemini-cli', `${docs.gemini}/gemini-md`, {
    home: ['.gemini/GEMINI.md', '.gemini/system.md'],
    project: ['GEMINI.md', '.gemini/GEMINI.md', '.gemini/system.md'],
  }),
  instructions('gemini-code-assist', 'https://developers.google.com/gemini-code-assist/docs', {
    project: ['.gemini/styleguide.md'],
  }),
  instructions('github-copilot', `${docs.vscode}/custom-instructions`, {
    home: [
      ...userPrompts('.instructions.md'),
      '.config/github-copilot/intellij/global-copilot-instructions.md',
      '.config/github-copilot/intellij/global-git-commit-instructions.md',
    ],
    project: [
      '.github/copilot-instructions.md',
      '.github/instructions/*.instructions.md',
      '.github/instructions/*/*.instructions.md',
      '.github/git-commit-instructions.md',
    ],
  }),
  instructions('copilot-cli', `${docs.copilot}/how-tos/copilot-cli`, {
    home: ['.copilot/copilot-instructions.md', '.copilot/instructions/*.instructions.md'],
  }),
  instructions('cursor', `${docs.cursor}/rules`, {
    home: ['.cursor/rules/*.mdc', '.cursor/rules/*.md'],
    project: [
      '.cursorrules',
      '.cursor/rules/*.mdc',
      '.cursor/rules/*.md',
      '.cursor/rules/*/*.mdc',
      '.cursor/rules/*/*.md',
    ],
  }),
  instructions('windsurf', `${docs.windsurf}/memories`, {
    home: ['.codeium/windsurf/memories/global_rules.md', '.codeium/memories/global_rules.md'],
    project: ['.windsurfrules', '.windsurf/rules/*.md', '.windsurf/rules/*/*.md'],
    managed: inEach(managedWindsurf, 'rules/*.md'),
  }),
  instructions('cline', `${docs.cline}/features/cline-rules`, {
    home: ['Documents/Cline/Rules/*', 'Cline/Rules/*', '.cline/rules/*.md'],
    project: [
      '.clinerules',
      '.clinerules/*.md',
      '.clinerules/*.txt',
      '.cline/rules/*.md',
      'memory-bank/projectbrief.md',
      'memory-bank/activeContext.md',
      'memory-bank/systemPatterns.md',
    ],
  }),
  instructions('roo-code', `${docs.roo}/custom-instructions`, {
    home: ['.roo/rules/*', '.roo/rules-*/*', '.roo/AGENTS.md'],
    project: ['.roorules', ...modeFiles('.roorules'), '.roo/rules/*', '.roo/rules-*/*'],
  }),
  instructions('kilo-code', `${docs.kilo}/customize/custom-rules`, {
    home: ['.kilocode/rules/*', '.kilocode/rules-*/*', '.config/kilo/AGENTS.md', '.kilo/rules/*'],
    project: [
      '.kilocoderules',
      ...modeFiles('.kilocoderules'),
      '.kilocode/rules/*',
      '.kilocode/rules-*/*',
      '.kilo/rules/*',
    ],
  }),
  instructions('continue', `${docs.continue}/rules`, {
    home: ['.continue/rules/*.md', '.continue/rules/*.yaml'],
    project: ['.continuerules', '.continue/rules/*.md', '.continue/rules/*.yaml'],
  }),
  instructions('opencode', `${docs.opencode}/rules`, {
    home: ['.config/opencode/AGENTS.md', '.opencode/AGENTS.md'],
    project: ['.opencode/AGENTS.md'],
  }),
  instructions('amp', docs.amp, {
    home: ['.config/amp/AGENTS.md', '.config/amp/AGENT.md'],
  }),
  instructions('goose', 'https://block.github.io/goose/docs/guides/using-goosehints', {
    home: ['.config/goose/.goosehints', '.config/goose/AGENTS.md'],
    project: ['.goosehints', '.goosehints.local'],
  }),
  instructions('zed', 'https://zed.dev/docs/ai/rules', {
    home: ['.config/zed/AGENTS.md'],
    project: ['.rules'],
  }),
  instructions('junie', 'https://junie.jetbrains.com/docs/guidelines-and-memory.html', {
    home: ['.junie/guidelines.md', '.junie/AGENTS.md', '.junie/guidelines/*.md'],
    project: ['.junie/guidelines.md', '.junie/AGENTS.md', '.junie/guidelines/*.md'],
  }),
  instructions('kiro', `${docs.kiro}/steering`, {
    home: ['.kiro/steering/*.md'],
    project: ['.kiro/steering/*.md', '.kiro/steering/*/*.md'],
  }),
  instructions('qwen-code', `${docs.qwen}/memory`, {
    home: ['.qwen/QWEN.md', '.qwen/AGENTS.md', '.qwen/rules/*.md'],
    project: ['QWEN.md', '.qwen/QWEN.md', '.qwen/rules/*.md'],
  }),
  instructions('crush', docs.crush, {
    home: ['.config/crush/CRUSH.md', '.config/crush/AGENTS.md'],
    project: ['CRUSH.md', 'CRUSH.local.md', 'crush.md', 'crush.local.md', 'Crush.md'],
  }),
  instructions('droid', `${docs.droid}/agents-md`, {
    home: ['.factory/AGENTS.md', '.factory/rules/*.md'],
    project: ['.factory/AGENTS.md', '.factory/rules/*.md'],
  }),
  instructions('augment', docs.augment, {
    home: ['.augment/rules/*.md', '.augment/user-guidelines.md'],
    project: ['.augment-guidelines', '.augment/rules/*.md', '.augment/rules/*/*.md'],
  }),
  instructions('trae', 'https://docs.trae.ai/ide/rules', {
    home: ['.trae/user_rules.md', '.trae/rules/*.md', '.trae-cn/user_rules.md'],
    project: ['.trae/rules/*.md', '.trae/project_rules.md'],
  }),
  instructions('antigravity', docs.antigravity, {
    project: ['.agent/rules/*.md', '.agents/rules/*.md'],
  }),
  instructions('openclaw', `${docs.openclaw}/concepts/agent-workspace`, {
    home: ['.openclaw/workspace/*.md', '.openclaw/workspace-*/*.md', 'clawd/SOUL.md'],
  }),
  instructions('hermes-agent', `${docs.hermes}/user-guide/features/context-files`, {
    home: ['.hermes/SOUL.md', '.hermes/AGENTS.md', '.hermes/memories/*.md'],
    project: ['.hermes.md', 'HERMES.md'],
  }),
  instructions('warp', 'https://docs.warp.dev/knowledge-and-collaboration/rules', {
    home: ['.warp/WARP.md', '.warp/AGENTS.md'],
    project: ['WARP.md'],
  }),
  instructions('amazon-q-cli', 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug', {
    home: ['.aws/amazonq/rules/*.md'],
    project: ['.amazonq/rules/*.md', '.amazonq/rules/*/*.md', 'AmazonQ.md'],
  }),
  instructions('jetbrains-ai-assistant', 'https://www.jetbrains.com/help/ai-assistant', {
    project: ['.aiassistant/rules/*.md'],
  }),
  instructions('firebase-studio', 'https://firebase.google.com/docs/studio/set-up-gemini', {
    project: ['.idx/airules.md'],
  }),
  instructions('tabnine', 'https://docs.tabnine.com/main/getting-started/tabnine-agent', {
    home: ['.tabnine/guidelines/*.md'],
    project: ['.tabnine/guidelines/*.md', 'TABNINE.md'],
  }),
  instructions('void-editor', 'https://github.com/voideditor/void', { project: ['.voidrules'] }),
  instructions('cody', 'https://sourcegraph.com/docs/cody', {
    project: ['.sourcegraph/*.rule.md'],
  }),
  instructions('tongyi-lingma', 'https://help.aliyun.com/zh/lingma', {
    project: ['.lingma/rules/*.md'],
  }),
  instructions('iflow-cli', 'https://platform.iflow.cn/en/cli', {
    home: ['.iflow/IFLOW.md'],
    project: ['IFLOW.md'],
  }),
  instructions('codebuddy-code', 'https://www.codebuddy.ai/docs/cli', {
    home: ['.codebuddy/CODEBUDDY.md', '.codebuddy/rules/*.md'],
    project: ['CODEBUDDY.md', '.codebuddy/rules/*.md'],
  }),
  instructions('openhands', 'https://docs.openhands.dev/usage/prompting/microagents-repo', {
    home: ['.openhands/microagents/*.md'],
    project: ['.openhands/microagents/*.md', '.openhands_instructions'],
  }),
  instructions('mistral-vibe', 'https://github.com/mistralai/mistral-vibe', {
    home: ['.vibe/AGENTS.md', '.vibe/prompts/*.md'],
    project: ['.vibe/prompts/*.md'],
  }),
  instructions('grok-cli', 'https://github.com/superagent-ai/grok-cli', {
    home: ['.grok/GROK.md', '.grok/AGENTS.md', '.grok/rules/*.md'],
    project: ['.grok/GROK.md', '.grok/rules/*.md'],
  }),
  instructions('pi-agent', 'https://github.com/badlogic/pi-mono', {
    home: ['.pi/agent/AGENTS.md', '.pi/agent/SYSTEM.md', '.pi/agent/APPEND_SYSTEM.md'],
    project: ['.pi/SYSTEM.md', '.pi/APPEND_SYSTEM.md'],
  }),
  instructions('rovo-dev', 'https://support.atlassian.com/rovo/docs/use-rovo-dev-cli', {
    home: ['.rovodev/AGENTS.md', '.rovodev/.agent.md'],
    project: ['.agent.md', '.agent.local.md', '.rovodev/.agent.md'],
  }),
  instructions('gitlab-duo', 'https://docs.gitlab.com/user/gitlab_duo/customize_duo', {
    home: ['.gitlab/duo/chat-rules.md'],
    project: ['.gitlab/duo/chat-rules.md', '.gitlab/duo/mr-review-instructions.yaml'],
  }),
  instructions('devin-cli', 'https://docs.devin.ai/cli', {
    home: ['.devin/rules/*.md', '.config/devin/AGENTS.md'],
    project: ['.devin/rules/*.md'],
  }),
  instructions('cursor-bugbot', 'https://cursor.com/docs/bugbot', {
    project: ['.cursor/BUGBOT.md'],
  }),
  instructions('qoder', 'https://docs.qoder.com/user-guide/rules', {
    home: ['.qoder/AGENTS.md', '.qoder/rules/*.md'],
    project: ['.qoder/rules/*.md'],
  }),
  instructions('zencoder', 'https://docs.zencoder.ai/rules-context/zen-rules', {
    project: ['.zencoder/rules/*.md'],
  }),
  instructions('firebender', 'https://docs.firebender.com/context/rules', {
    project: ['.firebender/rules/*.md', '.firebender/rules/*.mdc', 'firebender.json'],
  }),
  instructions('replit', 'https://docs.replit.com/replitai/replit-dot-md', {
    project: ['replit.md'],
  }),
  instructions('bolt', 'https://support.bolt.new', { project: ['.bolt/prompt'] }),
  instructions('comate', 'https://cloud.baidu.com/doc/COMATE', {
    project: ['.comate/rules/*.md', '.comate/rules/*.mdr'],
  }),
  instructions('pochi', 'https://docs.getpochi.com', {
    home: ['.pochi/README.pochi.md'],
    project: ['README.pochi.md'],
  }),
  instructions('mux', 'https://mux.coder.com', {
    home: ['.mux/AGENTS.md'],
    project: ['.mux/AGENTS.md'],
  }),
  instructions('deepagents', 'https://docs.langchain.com/oss/python/deepagents/cli/overview', {
    home: ['.deepagents/AGENTS.md', '.deepagents/*/AGENTS.md'],
    project: ['.deepagents/AGENTS.md'],
  }),
  // Texts that a program writes for agents, or copies to where each agent reads them.
  instructions('spec-kit', 'https://github.com/github/spec-kit', {
    project: ['.specify/memory/constitution.md'],
  }),
  instructions('openspec', 'https://github.com/Fission-AI/OpenSpec', {
    project: ['openspec/AGENTS.md', 'openspec/project.md'],
  }),
  instructions('ruler', 'https://github.com/intellectronica/ruler', { project: ['.ruler/*.md'] }),
  instructions('rulesync', 'https://github.com/dyoshikawa/rulesync', {
    project: ['.rulesync/rules/*.md'],
  }),
  instructions('serena', 'https://github.com/oraios/serena', {
    project: ['.serena/memories/*.md'],
  }),
  instructions('bmad-method', 'https://github.com/bmad-code-org/BMAD-METHOD', {
    project: ['.bmad-core/agents/*.md', '_bmad/*/agents/*.md'],
  }),
];
