import type { PluginPlace } from './loaded-entry.ts';
import { loadingTools, type LoadingTool } from './loading-tools.ts';

type Fields = Pick<PluginPlace, 'home' | 'project' | 'managed' | 'manifest' | 'listed'>;

const plugins = (
  tool: LoadingTool,
  source: string,
  fields: Fields,
  word = 'plugins',
): PluginPlace => {
  const [name, vendor] = loadingTools[tool];
  return {
    id: `${tool}-${word.replaceAll(' ', '-')}`,
    name: `${name} ${word}`,
    vendor,
    kind: 'plugin',
    source,
    tool,
    ...fields,
  };
};

const scripts = (...dirs: string[]) =>
  dirs.flatMap((dir) => ['ts', 'js', 'mjs'].map((suffix) => `${dir}/*.${suffix}`));

/**
 * Folders with plugins of agents. Claude Code's own list of installed plugins is read as well, by
 * claude-plugins.ts of the inventory.
 */
export const pluginPlaces: readonly PluginPlace[] = [
  plugins('claude-code', 'https://code.claude.com/docs/en/plugins-reference', {
    manifest: '.claude-plugin/plugin.json',
    home: ['.claude/skills/*'],
    project: ['.claude/skills/*'],
  }),
  plugins('codex-cli', 'https://developers.openai.com/codex/plugins', {
    manifest: '.codex-plugin/plugin.json',
    home: ['.codex/plugins/cache/*/*/*', '.codex/plugins/*'],
    project: ['.codex/plugins/*'],
  }),
  plugins('gemini-cli', 'https://geminicli.com/docs/extensions', {
    manifest: 'gemini-extension.json',
    home: ['.gemini/extensions/*'],
    project: ['.gemini/extensions/*'],
  }),
  plugins('qwen-code', 'https://qwenlm.github.io/qwen-code-docs/en/users/extension', {
    manifest: 'qwen-extension.json',
    home: ['.qwen/extensions/*'],
    project: ['.qwen/extensions/*'],
  }),
  plugins('copilot-cli', 'https://docs.github.com/en/copilot/concepts/agents/copilot-cli', {
    manifest: 'plugin.json',
    home: ['.copilot/installed-plugins/*/*', '.copilot/installed-plugins/*'],
  }),
  plugins('cursor', 'https://cursor.com/docs/plugins', {
    manifest: '.cursor-plugin/plugin.json',
    home: ['.cursor/plugins/cache/*/*/*', '.cursor/plugins/local/*', '.cursor/plugins/*'],
  }),
  plugins('droid', 'https://docs.factory.ai/cli/configuration/plugins', {
    manifest: '.factory-plugin/plugin.json',
    home: ['.factory/plugins/cache/*/*/*', '.factory/plugins/*'],
  }),
  plugins('opencode', 'https://opencode.ai/docs/plugins', {
    home: scripts(
      '.config/opencode/plugin',
      '.config/opencode/plugins',
      '.config/opencode/tool',
      '.config/opencode/tools',
    ),
    project: scripts('.opencode/plugin', '.opencode/plugins', '.opencode/tool', '.opencode/tools'),
  }),
  plugins(
    'opencode',
    'https://opencode.ai/docs/plugins',
    {
      listed: ['plugin'],
      home: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
      project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'],
    },
    'packages',
  ),
  plugins('amp', 'https://ampcode.com/manual', {
    home: scripts('.config/amp/plugins'),
    project: scripts('.amp/plugins'),
  }),
  plugins('openclaw', 'https://docs.openclaw.ai/plugin', {
    manifest: 'openclaw.plugin.json',
    home: ['.openclaw/extensions/*', '.openclaw/workspace/.openclaw/extensions/*'],
  }),
  plugins(
    'hermes-agent',
    'https://hermes-agent.nousresearch.com/docs/user-guide/features/plugins',
    {
      manifest: 'plugin.yaml',
      home: ['.hermes/plugins/*'],
    },
  ),
  plugins('pi-agent', 'https://github.com/badlogic/pi-mono', {
    home: [...scripts('.pi/agent/extensions'), '.pi/agent/extensions/*/index.ts'],
    project: [...scripts('.pi/extensions'), '.pi/extensions/*/index.ts'],
  }),
  plugins(
    'pi-agent',
    'https://github.com/badlogic/pi-mono',
    { listed: ['packages'], home: ['.pi/agent/settings.json'], project: ['.pi/settings.json'] },
    'packages',
  ),
  plugins('kiro', 'https://kiro.dev/docs/powers', {
    manifest: 'POWER.md',
    home: ['.kiro/powers/installed/*', '.kiro/powers/*'],
  }),
  plugins('goose', 'https://block.github.io/goose/docs/guides', {
    manifest: 'plugin.json',
    home: ['.config/goose/plugins/*', '.agents/plugins/*'],
  }),
];
