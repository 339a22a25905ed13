import type { HookPlace } from './loaded-entry.ts';
import { loadingTools, type LoadingTool } from './loading-tools.ts';

type Fields = Pick<HookPlace, 'home' | 'project' | 'managed' | 'plugin'> &
  Partial<Pick<HookPlace, 'format' | 'keys'>>;

const hooks = (tool: LoadingTool, source: string, fields: Fields, word = 'hooks'): HookPlace => {
  const [name, vendor] = loadingTools[tool];
  return {
    id: `${tool}-${word.replaceAll(' ', '-')}`,
    name: `${name} ${word}`,
    vendor,
    kind: 'hook',
    source,
    tool,
    format: 'json',
    keys: [['hooks']],
    ...fields,
  };
};

const managedDirs = (name: string, linux: string) => [
  `/etc/${linux}`,
  `/Library/Application Support/${name}`,
];

/** Settings of Claude Code, other than its hooks, that name a command. */
const claudeCommands = [
  'statusLine',
  'subagentStatusLine',
  'fileSuggestion',
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'gcpAuthRefresh',
  'otelHeadersHelper',
].map((key) => [key]);

/**
 * Files that declare commands which a program runs on its own: on a tool call, at startup, to get a
 * key.
 */
export const hookPlaces: readonly HookPlace[] = [
  hooks('claude-code', 'https://code.claude.com/docs/en/hooks', {
    keys: [['hooks'], ...claudeCommands],
    home: ['.claude/settings.json', '.claude/settings.local.json'],
    project: ['.claude/settings.json', '.claude/settings.local.json'],
    managed: managedDirs('ClaudeCode', 'claude-code').flatMap((dir) => [
      `${dir}/managed-settings.json`,
      `${dir}/managed-settings.d/*.json`,
    ]),
    plugin: ['hooks/hooks.json'],
  }),
  hooks('codex-cli', 'https://developers.openai.com/codex/hooks', {
    home: ['.codex/hooks.json'],
    project: ['.codex/hooks.json'],
    managed: ['/etc/codex/hooks.json'],
  }),
  hooks(
    'codex-cli',
    'https://developers.openai.com/codex/config-reference',
    {
      format: 'toml',
      keys: [['hooks'], ['notify']],
      home: ['.codex/config.toml'],
      project: ['.codex/config.toml'],
      managed: ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'],
    },
    'configured hooks',
  ),
  hooks('gemini-cli', 'https://geminicli.com/docs/hooks', {
    keys: [['hooks'], ['tools', 'discoveryCommand'], ['tools', 'callCommand']],
    home: ['.gemini/settings.json'],
    project: ['.gemini/settings.json'],
    managed: [
      '/etc/gemini-cli/settings.json',
      '/Library/Application Support/GeminiCli/settings.json',
    ],
    plugin: ['hooks/hooks.json'],
  }),
  hooks('qwen-code', 'https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks', {
    keys: [['hooks'], ['tools', 'discoveryCommand'], ['tools', 'callCommand']],
    home: ['.qwen/settings.json'],
    project: ['.qwen/settings.json'],
    managed: [
      '/etc/qwen-code/settings.json',
      '/Library/Application Support/QwenCode/settings.json',
    ],
    plugin: ['hooks/hooks.json'],
  }),
  hooks('github-copilot', 'https://docs.github.com/en/copilot/reference/hooks-reference', {
    project: ['.github/hooks/*.json'],
  }),
  hooks('copilot-cli', 'https://docs.github.com/en/copilot/reference/hooks-reference', {
    home: ['.copilot/hooks/*.json', '.copilot/settings.json', '.copilot/config.json'],
    plugin: ['hooks.json'],
  }),
  hooks('cursor', 'https://cursor.com/docs/agent/hooks', {
    home: ['.cursor/hooks.json'],
    project: ['.cursor/hooks.json'],
    managed: managedDirs('Cursor', 'cursor').map((dir) => `${dir}/hooks.json`),
    plugin: ['hooks/hooks.json'],
  }),
  hooks('windsurf', 'https://docs.windsurf.com/windsurf/cascade/hooks', {
    home: ['.codeium/windsurf/hooks.json', '.codeium/hooks.json'],
    project: ['.windsurf/hooks.json'],
    managed: managedDirs('Windsurf', 'windsurf').map((dir) => `${dir}/hooks.json`),
  }),
  hooks('cline', 'https://docs.cline.bot/features/hooks', {
    format: 'script',
    keys: [[]],
    home: ['Documents/Cline/Hooks/*', '.cline/hooks/*'],
    project: ['.clinerules/hooks/*', '.cline/hooks/*'],
  }),
  hooks('droid', 'https://docs.factory.ai/cli/configuration/hooks-guide', {
    home: ['.factory/settings.json', '.factory/hooks.json', '.factory/hooks/hooks.json'],
    project: ['.factory/settings.json', '.factory/settings.local.json', '.factory/hooks.json'],
    plugin: ['hooks/hooks.json'],
  }),
  hooks('auggie', 'https://docs.augmentcode.com/cli/hooks', {
    home: ['.augment/settings.json'],
    project: ['.augment/settings.json', '.augment/settings.local.json'],
    managed: ['/etc/augment/settings.json'],
  }),
  hooks('kiro', 'https://kiro.dev/docs/hooks', {
    keys: [['then']],
    home: ['.kiro/hooks/*.kiro.hook', '.kiro/hooks/*.hook'],
    project: ['.kiro/hooks/*.kiro.hook', '.kiro/hooks/*.hook'],
  }),
  hooks(
    'kiro',
    'https://kiro.dev/docs/cli/hooks',
    { home: ['.kiro/agents/*.json'], project: ['.kiro/agents/*.json'] },
    'agent hooks',
  ),
  hooks('amazon-q-cli', 'https://github.com/aws/amazon-q-developer-cli', {
    home: ['.aws/amazonq/cli-agents/*.json'],
    project: ['.amazonq/cli-agents/*.json'],
  }),
  hooks('opencode', 'https://opencode.ai/docs/config', {
    keys: [['experimental', 'hook'], ['formatter']],
    home: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'],
  }),
  hooks('crush', 'https://github.com/charmbracelet/crush', {
    home: ['.config/crush/crush.json'],
    project: ['.crush.json', 'crush.json'],
  }),
  hooks('aider', 'https://aider.chat/docs/config/aider_conf.html', {
    format: 'yaml',
    keys: [['lint-cmd'], ['test-cmd'], ['notifications-command']],
    home: ['.aider.conf.yml'],
    project: ['.aider.conf.yml'],
  }),
  hooks('junie', 'https://junie.jetbrains.com/docs', {
    home: ['.junie/hooks.json', '.junie/settings.json'],
    project: ['.junie/hooks.json', '.junie/settings.json'],
  }),
  hooks('hermes-agent', 'https://hermes-agent.nousresearch.com/docs/user-guide/features/hooks', {
    format: 'yaml',
    home: ['.hermes/config.yaml', '.hermes/cli-config.yaml'],
  }),
  hooks(
    'hermes-agent',
    'https://hermes-agent.nousresearch.com/docs/user-guide/features/hooks',
    { format: 'script', keys: [[]], home: ['.hermes/hooks/*/handler.py'] },
    'gateway hooks',
  ),
  hooks('openclaw', 'https://docs.openclaw.ai/hooks', {
    format: 'script',
    keys: [[]],
    home: [
      '.openclaw/hooks/*/handler.ts',
      '.openclaw/hooks/*/handler.js',
      '.openclaw/workspace/hooks/*/handler.ts',
      '.openclaw/workspace/hooks/*/handler.js',
    ],
  }),
  hooks('qoder', 'https://docs.qoder.com/cli/using-cli', {
    home: ['.qoder/settings.json'],
    project: ['.qoder/settings.json', '.qoder/settings.local.json'],
  }),
  hooks('codebuddy-code', 'https://www.codebuddy.ai/docs/cli/hooks', {
    home: ['.codebuddy/settings.json'],
    project: ['.codebuddy/settings.json', '.codebuddy/settings.local.json'],
  }),
  hooks('iflow-cli', 'https://platform.iflow.cn/en/cli', {
    home: ['.iflow/settings.json'],
    project: ['.iflow/settings.json'],
  }),
  hooks('rovo-dev', 'https://support.atlassian.com/rovo/docs/use-rovo-dev-cli', {
    format: 'yaml',
    keys: [['eventHooks']],
    home: ['.rovodev/config.yml'],
  }),
];
