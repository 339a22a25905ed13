import { type McpConfigPlace, json, markdown, toml, yaml } from './entry.ts';

const CLAUDE_CODE = 'https://code.claude.com/docs/en/mcp';

/** Files in which terminal agents configure the MCP servers that they start. */
export const agentMcpConfigs: readonly McpConfigPlace[] = [
  json('Claude Code', CLAUDE_CODE, { homeFiles: ['.claude.json'] }, [
    ['mcpServers'],
    ['projects', '*', 'mcpServers'],
  ]),
  json('Claude Code', CLAUDE_CODE, {
    homeFiles: ['.claude/settings.json', '.claude/.mcp.json', '.mcp.json'],
    projectFiles: ['.mcp.json'],
    systemFiles: {
      darwin: ['/Library/Application Support/ClaudeCode/managed-mcp.json'],
      linux: ['/etc/claude-code/managed-mcp.json'],
    },
  }),
  json(
    'Claude Code plugin',
    'https://code.claude.com/docs/en/plugins-reference',
    {
      homeFiles: [
        '.claude/plugins/cache/*/*/*/.mcp.json',
        '.claude/plugins/cache/*/*/.mcp.json',
        '.codex/plugins/cache/*/*/*/.mcp.json',
      ],
    },
    [['mcpServers'], []],
  ),
  json('Claude Code plugin', 'https://code.claude.com/docs/en/plugins-reference', {
    homeFiles: [
      '.claude/plugins/cache/*/*/*/.claude-plugin/plugin.json',
      '.claude/plugins/cache/*/*/.claude-plugin/plugin.json',
    ],
  }),
  toml(
    'Codex',
    'https://developers.openai.com/codex/mcp',
    {
      homeFiles: ['.codex/config.toml'],
      projectFiles: ['.codex/config.toml'],
      systemFiles: {
        darwin: ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'],
        linux: ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'],
      },
    },
    [['mcp_servers']],
  ),
  json('Gemini CLI', 'https://geminicli.com/docs/tools/mcp-server/', {
    homeFiles: ['.gemini/settings.json'],
    projectFiles: ['.gemini/settings.json'],
    systemFiles: {
      darwin: ['/Library/Application Support/GeminiCli/settings.json'],
      linux: ['/etc/gemini-cli/settings.json'],
    },
  }),
  json('Gemini CLI extension', 'https://geminicli.com/docs/extensions/reference/', {
    homeFiles: ['.gemini/extensions/*/gemini-extension.json'],
  }),
  json('Antigravity', 'https://antigravity.google/docs/mcp', {
    homeFiles: ['.gemini/antigravity/mcp_config.json', '.gemini/config/mcp_config.json'],
  }),
  json('Qwen Code', 'https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/', {
    homeFiles: ['.qwen/settings.json'],
    projectFiles: ['.qwen/settings.json'],
  }),
  json(
    'Copilot CLI',
    'https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers',
    { homeFiles: ['.copilot/mcp-config.json', '.config/mcp-config.json'] },
  ),
  json('Kiro', 'https://kiro.dev/docs/mcp/configuration/', {
    homeFiles: ['.kiro/settings/mcp.json'],
    projectFiles: ['.kiro/settings/mcp.json'],
  }),
  json('Kiro', 'https://kiro.dev/docs/cli/custom-agents/configuration-reference/', {
    homeFiles: ['.kiro/agents/*.json'],
    projectFiles: ['.kiro/agents/*.json'],
  }),
  markdown('Kiro', 'https://kiro.dev/docs/custom-agents/', {
    homeFiles: ['.kiro/agents/*.md'],
    projectFiles: ['.kiro/agents/*.md'],
  }),
  json(
    'Amazon Q',
    'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-mcp-config-CLI.html',
    {
      homeFiles: ['.aws/amazonq/mcp.json', '.aws/amazonq/cli-agents/*.json'],
      projectFiles: ['.amazonq/mcp.json', '.amazonq/cli-agents/*.json'],
    },
  ),
  json('Junie', 'https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html', {
    homeFiles: ['.junie/mcp/mcp.json'],
    projectFiles: ['.junie/mcp/mcp.json'],
  }),
  json(
    'Amp',
    'https://ampcode.com/manual#mcp',
    { homeFiles: ['.config/amp/settings.json'], projectFiles: ['.amp/settings.json'] },
    [['amp.mcpServers']],
  ),
  json(
    'OpenCode',
    'https://opencode.ai/docs/mcp-servers/',
    {
      homeFiles: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
      projectFiles: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'],
      systemFiles: {
        darwin: ['/Library/Application Support/opencode/opencode.json'],
        linux: ['/etc/opencode/opencode.json'],
      },
    },
    [['mcp']],
  ),
  json(
    'Crush',
    'https://github.com/charmbracelet/crush#mcps',
    {
      homeFiles: ['.config/crush/crush.json'],
      projectFiles: ['.crush.json', 'crush.json'],
    },
    [['mcp']],
  ),
  json(
    'Kilo Code',
    'https://kilo.ai/docs/automate/mcp/using-in-cli',
    {
      homeFiles: ['.config/kilo/kilo.json', '.config/kilo/kilo.jsonc', '.config/kilo/config.json'],
      projectFiles: ['kilo.json', '.kilo/kilo.json', '.kilo/kilo.jsonc'],
    },
    [['mcp']],
  ),
  json('Augment', 'https://docs.augmentcode.com/cli/integrations', {
    homeFiles: ['.augment/settings.json'],
    projectFiles: ['.augment/settings.json'],
  }),
  json('Factory', 'https://docs.factory.ai/cli/configuration/mcp', {
    homeFiles: ['.factory/mcp.json'],
    projectFiles: ['.factory/mcp.json'],
  }),
  toml(
    'Mistral Vibe',
    'https://docs.mistral.ai/vibe/code/cli/mcp-servers',
    { homeFiles: ['.vibe/config.toml'], projectFiles: ['.vibe/config.toml'] },
    [['mcp_servers']],
  ),
  json(
    'Rovo Dev',
    'https://support.atlassian.com/rovo/docs/connect-to-an-mcp-server-in-rovo-dev-cli',
    { homeFiles: ['.rovodev/mcp.json'], projectFiles: ['.rovodev/mcp.json'] },
  ),
  json('Kimi CLI', 'https://moonshotai.github.io/kimi-cli/en/customization/mcp.html', {
    homeFiles: ['.kimi/mcp.json', '.kimi-code/mcp.json'],
    projectFiles: ['.kimi/mcp.json', '.kimi-code/mcp.json'],
  }),
  toml(
    'Grok CLI',
    'https://docs.x.ai',
    { homeFiles: ['.grok/config.toml'], projectFiles: ['.grok/config.toml'] },
    [['mcp_servers']],
  ),
  json('Grok CLI (community)', 'https://github.com/superagent-ai/grok-cli', {
    homeFiles: ['.grok/settings.json', '.grok/user-settings.json'],
    projectFiles: ['.grok/settings.json'],
  }),
  json('CodeBuddy', 'https://www.codebuddy.ai/docs/cli/mcp', {
    homeFiles: ['.codebuddy/.mcp.json', '.codebuddy/mcp.json', '.codebuddy.json'],
  }),
  json('iFlow CLI', 'https://platform.iflow.cn/en/cli', {
    homeFiles: ['.iflow/settings.json'],
    projectFiles: ['.iflow/settings.json'],
  }),
  json('Void', 'https://github.com/voideditor/void', { homeFiles: ['.void-editor/mcp.json'] }),
  json('Qoder', 'https://docs.qoder.com/cli/using-cli', {
    homeFiles: ['.qoder/settings.json', '.qoder.json'],
    projectFiles: ['.qoder/settings.local.json'],
  }),
  json('Nanocoder', 'https://github.com/Nano-Collective/nanocoder', {
    homeFiles: ['.config/nanocoder/.mcp.json', '.config/nanocoder/agents.config.json'],
  }),
  json('Pi', 'https://pi.dev', {
    homeFiles: ['.pi/agent/mcp.json'],
    projectFiles: ['.pi/mcp.json'],
  }),
  json('Cortex Code', 'https://docs.snowflake.com/en/user-guide/cortex-code/cortex-code-cli', {
    homeFiles: ['.snowflake/cortex/mcp.json'],
    projectFiles: ['.cortex/mcp.json'],
  }),
  json(
    'OpenClaw',
    'https://docs.openclaw.ai/cli/mcp',
    { homeFiles: ['.openclaw/openclaw.json', '.clawdbot/clawdbot.json'] },
    [['mcp', 'servers'], ['mcpServers']],
  ),
  yaml(
    'Hermes Agent',
    'https://hermes-agent.nousresearch.com/docs/user-guide/features/mcp',
    { homeFiles: ['.hermes/config.yaml'] },
    [['mcp_servers']],
  ),
  yaml(
    'Goose',
    'https://block.github.io/goose/docs/getting-started/using-extensions',
    { homeFiles: ['.config/goose/config.yaml'] },
    [['extensions']],
  ),
  yaml(
    'MCPHost',
    'https://github.com/mark3labs/mcphost',
    { homeFiles: ['.mcphost.yml', '.mcphost.yaml'], projectFiles: ['.mcphost.yml'] },
    [['mcpServers']],
  ),
  json('MCPHost', 'https://github.com/mark3labs/mcphost', { homeFiles: ['.mcphost.json'] }),
  json('MCPorter', 'https://github.com/steipete/mcporter', {
    homeFiles: ['.mcporter/mcporter.json', '.mcporter/mcporter.jsonc'],
    projectFiles: ['config/mcporter.json'],
  }),
  toml(
    'OpenHands',
    'https://docs.openhands.dev/openhands/usage/settings/mcp-settings',
    { homeFiles: ['.openhands/config.toml'] },
    [
      ['mcp', 'stdio_servers'],
      ['mcp', 'shttp_servers'],
      ['mcp', 'sse_servers'],
    ],
  ),
  json('OpenHands', 'https://docs.openhands.dev/openhands/usage/cli/mcp-servers', {
    homeFiles: ['.openhands/mcp.json'],
  }),
];
