import { agentFilesOf, docs, inEach, managedClaude, managedWindsurf } from './agent-file-entry.ts';
import type { AgentFile } from './loaded-entry.ts';

const skills = agentFilesOf('skill', 'skills');

/** Patterns for folders that contain one folder with a SKILL.md for each skill. */
const inSkills = (...dirs: string[]) => dirs.map((dir) => `${dir}/*/SKILL.md`);

/** An installer of skills, whose table lists where agents look for skills. */
const SKILLS_SOURCE = 'https://github.com/vercel-labs/skills';

/** Folders in which agents look for skills. */
export const skillFolders: readonly AgentFile[] = [
  {
    id: 'agent-skills',
    name: 'Agent Skills',
    vendor: 'Agentic AI Foundation',
    kind: 'skill',
    source: 'https://agentskills.io',
    tool: null,
    home: ['.agents/skills/*/SKILL.md', '.config/agents/skills/*/SKILL.md'],
    project: ['.agents/skills/*/SKILL.md'],
  },
  skills('claude-code', `${docs.claude}/skills`, {
    home: inSkills('.claude/skills'),
    project: inSkills('.claude/skills'),
    managed: inEach(managedClaude, '.claude/skills/*/SKILL.md'),
    plugin: ['skills/*/SKILL.md', 'SKILL.md'],
  }),
  skills('codex-cli', `${docs.codex}/skills`, {
    home: inSkills('.codex/skills', '.codex/skills/.system'),
    project: inSkills('.codex/skills'),
    managed: inSkills('/etc/codex/skills'),
  }),
  skills('gemini-cli', `${docs.gemini}/skills`, {
    home: inSkills('.gemini/skills'),
    project: inSkills('.gemini/skills'),
    plugin: ['skills/*/SKILL.md'],
  }),
  skills('github-copilot', `${docs.copilot}/concepts/agents/about-agent-skills`, {
    project: inSkills('.github/skills'),
  }),
  skills('copilot-cli', `${docs.copilot}/concepts/agents/about-agent-skills`, {
    home: inSkills('.copilot/skills'),
  }),
  skills('cursor', `${docs.cursor}/skills`, {
    home: inSkills('.cursor/skills', '.cursor/skills-cursor'),
    project: inSkills('.cursor/skills'),
  }),
  skills('windsurf', `${docs.windsurf}/skills`, {
    home: inSkills('.codeium/windsurf/skills'),
    project: inSkills('.windsurf/skills'),
    managed: inSkills(...inEach(managedWindsurf, 'skills')),
  }),
  skills('cline', `${docs.cline}/features/skills`, {
    home: inSkills('.cline/skills', 'Documents/Cline/Skills'),
    project: inSkills('.cline/skills', '.clinerules/skills'),
  }),
  skills('roo-code', `${docs.roo}/skills`, {
    home: inSkills('.roo/skills', '.roo/skills-*'),
    project: inSkills('.roo/skills', '.roo/skills-*'),
  }),
  skills('kilo-code', `${docs.kilo}/customize/skills`, {
    home: inSkills('.kilocode/skills', '.kilocode/skills-*', '.kilo/skills'),
    project: inSkills('.kilocode/skills', '.kilocode/skills-*', '.kilo/skills'),
  }),
  skills('continue', `${docs.continue}/skills`, {
    home: inSkills('.continue/skills'),
    project: inSkills('.continue/skills'),
  }),
  skills('opencode', `${docs.opencode}/skills`, {
    home: inSkills('.config/opencode/skills', '.config/opencode/skill', '.opencode/skills'),
    project: inSkills('.opencode/skills', '.opencode/skill'),
  }),
  skills('amp', docs.amp, {
    home: inSkills('.config/amp/skills'),
    project: inSkills('.amp/skills'),
  }),
  skills('goose', 'https://block.github.io/goose/docs/guides/context-engineering', {
    home: inSkills('.config/goose/skills', '.goose/skills'),
    project: inSkills('.goose/skills'),
  }),
  skills('junie', 'https://junie.jetbrains.com/docs/agent-skills.html', {
    home: inSkills('.junie/skills'),
    project: inSkills('.junie/skills'),
  }),
  skills('kiro', `${docs.kiro}/skills`, {
    home: inSkills('.kiro/skills'),
    project: inSkills('.kiro/skills'),
  }),
  skills('qwen-code', `${docs.qwen}/skills`, {
    home: inSkills('.qwen/skills'),
    project: inSkills('.qwen/skills'),
    plugin: ['skills/*/SKILL.md'],
  }),
  skills('crush', docs.crush, {
    home: inSkills('.config/crush/skills', '.crush/skills'),
    project: inSkills('.crush/skills'),
  }),
  skills('droid', `${docs.droid}/skills`, {
    home: inSkills('.factory/skills'),
    project: inSkills('.factory/skills'),
  }),
  skills('auggie', 'https://docs.augmentcode.com/cli/skills', {
    home: inSkills('.augment/skills'),
    project: inSkills('.augment/skills'),
  }),
  skills('trae', 'https://docs.trae.ai/ide/skills', {
    home: inSkills('.trae/skills', '.trae-cn/skills'),
    project: inSkills('.trae/skills'),
  }),
  skills('antigravity', 'https://antigravity.google/docs/skills', {
    home: inSkills('.gemini/antigravity/skills', '.gemini/antigravity/global_skills'),
    project: inSkills('.agent/skills'),
  }),
  skills('openclaw', `${docs.openclaw}/tools/skills`, {
    home: inSkills(
      '.openclaw/skills',
      '.openclaw/workspace/skills',
      '.clawdbot/skills',
      '.moltbot/skills',
    ),
  }),
  skills('hermes-agent', `${docs.hermes}/user-guide/features/skills`, {
    home: inSkills('.hermes/skills', '.hermes/skills/*', '.hermes/skills/*/*'),
  }),
  skills('warp', 'https://docs.warp.dev/agent-platform/capabilities/skills', {
    home: inSkills('.warp/skills'),
    project: inSkills('.warp/skills'),
  }),
  skills('mistral-vibe', 'https://github.com/mistralai/mistral-vibe', {
    home: inSkills('.vibe/skills'),
    project: inSkills('.vibe/skills'),
  }),
  skills('kimi-cli', 'https://moonshotai.github.io/kimi-cli/en/customization/skills.html', {
    home: inSkills('.kimi/skills', '.kimi-code/skills'),
    project: inSkills('.kimi/skills', '.kimi-code/skills'),
  }),
  skills('pi-agent', 'https://github.com/badlogic/pi-mono', {
    home: inSkills('.pi/agent/skills'),
    project: inSkills('.pi/skills'),
  }),
  skills('openhands', 'https://docs.openhands.dev/overview/skills', {
    home: [...inSkills('.openhands/skills'), '.openhands/skills/*.md'],
    project: [...inSkills('.openhands/skills'), '.openhands/skills/*.md'],
  }),
  skills('iflow-cli', 'https://platform.iflow.cn/en/cli', {
    home: inSkills('.iflow/skills'),
    project: inSkills('.iflow/skills'),
  }),
  skills('codebuddy-code', 'https://www.codebuddy.ai/docs/cli', {
    home: inSkills('.codebuddy/skills'),
    project: inSkills('.codebuddy/skills'),
  }),
  skills('rovo-dev', 'https://support.atlassian.com/rovo/docs/use-rovo-dev-cli', {
    home: inSkills('.rovodev/skills'),
    project: inSkills('.rovodev/skills'),
  }),
  skills('devin-cli', 'https://docs.devin.ai/cli', {
    home: inSkills('.config/devin/skills'),
    project: inSkills('.devin/skills'),
  }),
  skills('adal', SKILLS_SOURCE, {
    home: inSkills('.adal/skills'),
    project: inSkills('.adal/skills'),
  }),
  skills('command-code', SKILLS_SOURCE, {
    home: inSkills('.commandcode/skills'),
    project: inSkills('.commandcode/skills'),
  }),
  skills('kode', SKILLS_SOURCE, {
    home: inSkills('.kode/skills'),
    project: inSkills('.kode/skills'),
  }),
  skills('mcpjam', SKILLS_SOURCE, {
    home: inSkills('.mcpjam/skills'),
    project: inSkills('.mcpjam/skills'),
  }),
  skills('mux', SKILLS_SOURCE, {
    home: inSkills('.mux/skills'),
    project: inSkills('.mux/skills'),
  }),
  skills('neovate', SKILLS_SOURCE, {
    home: inSkills('.neovate/skills'),
    project: inSkills('.neovate/skills'),
  }),
  skills('pochi', SKILLS_SOURCE, {
    home: inSkills('.pochi/skills'),
    project: inSkills('.pochi/skills'),
  }),
  skills('qoder', SKILLS_SOURCE, {
    home: inSkills('.qoder/skills'),
    project: inSkills('.qoder/skills'),
  }),
  skills('zencoder', SKILLS_SOURCE, {
    home: inSkills('.zencoder/skills'),
    project: inSkills('.zencoder/skills'),
  }),
  skills('grok-cli', SKILLS_SOURCE, {
    home: inSkills('.grok/skills'),
    project: inSkills('.grok/skills'),
  }),
  skills('deepagents', 'https://docs.langchain.com/oss/python/deepagents/cli', {
    home: inSkills('.deepagents/skills', '.deepagents/*/skills'),
    project: inSkills('.deepagents/skills'),
  }),
  skills('muse-code', SKILLS_SOURCE, { home: inSkills('.config/muse/skills') }),
];
