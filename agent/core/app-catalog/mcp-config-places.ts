import type { McpConfigPlace } from './entry.ts';

const usual = [['mcpServers']];

/** Editors of the VS Code family by the name of their settings folder. */
const editorFolders = [
  'Antigravity',
  'Code',
  'Code - Insiders',
  'Cursor',
  'Kiro',
  'Trae',
  'VSCodium',
  'Windsurf',
];

const globalStorage = (file: string) =>
  editorFolders.map((folder) => `{app-data}/${folder}/User/globalStorage/${file}`);

const json = (
  client: string,
  homeFiles: string[],
  keys = usual,
  projectFiles?: string[],
): McpConfigPlace => ({ client, format: 'json', keys, homeFiles, projectFiles });

/** Where MCP clients keep the servers they start; the first place that names a file wins it. */
export const mcpConfigPlaces: readonly McpConfigPlace[] = [
  json('Claude Desktop', ['{app-data}/Claude/claude_desktop_config.json']),
  json('Claude Code', ['.claude.json'], [['mcpServers'], ['projects', '*', 'mcpServers']]),
  json('Claude Code', ['.claude/settings.json', '.mcp.json'], usual, ['.mcp.json']),
  json('Cursor', ['.cursor/mcp.json'], usual, ['.cursor/mcp.json']),
  json('Windsurf', ['.codeium/windsurf/mcp_config.json', '.codeium/mcp_config.json']),
  json(
    'VS Code',
    editorFolders.map((folder) => `{app-data}/${folder}/User/mcp.json`),
    [['servers'], ['mcpServers']],
    ['.vscode/mcp.json'],
  ),
  json(
    'VS Code',
    editorFolders.map((folder) => `{app-data}/${folder}/User/settings.json`),
    [['mcp', 'servers'], ['amp.mcpServers']],
  ),
  json('Zed', ['.config/zed/settings.json'], [['context_servers']], ['.zed/settings.json']),
  json('Cline', [
    ...globalStorage('saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
    '.cline/data/settings/cline_mcp_settings.json',
  ]),
  json('Roo Code', globalStorage('rooveterinaryinc.roo-cline/settings/mcp_settings.json'), usual, [
    '.roo/mcp.json',
  ]),
  json('Kilo Code', globalStorage('kilocode.kilo-code/settings/mcp_settings.json'), usual, [
    '.kilocode/mcp.json',
  ]),
  {
    client: 'Continue',
    format: 'yaml',
    keys: usual,
    homeFiles: ['.continue/config.yaml', '.continue/mcpServers/*.yaml'],
  },
  json(
    'Continue',
    ['.continue/config.json', '.continue/mcpServers/*.json'],
    [['mcpServers'], ['experimental', 'modelContextProtocolServers']],
  ),
  {
    client: 'Codex',
    format: 'toml',
    keys: [['mcp_servers']],
    homeFiles: ['.codex/config.toml'],
    projectFiles: ['.codex/config.toml'],
  },
  {
    client: 'Goose',
    format: 'yaml',
    keys: [['extensions']],
    homeFiles: ['.config/goose/config.yaml'],
  },
  json('Gemini CLI', ['.gemini/settings.json'], usual, ['.gemini/settings.json']),
  json('Antigravity', ['.gemini/antigravity/mcp_config.json']),
  json('Qwen Code', ['.qwen/settings.json'], usual, ['.qwen/settings.json']),
  json('Copilot CLI', ['.copilot/mcp-config.json']),
  json('Kiro', ['.kiro/settings/mcp.json'], usual, ['.kiro/settings/mcp.json']),
  json('Amazon Q', ['.aws/amazonq/mcp.json'], usual, ['.amazonq/mcp.json']),
  json('Junie', ['.junie/mcp/mcp.json'], usual, ['.junie/mcp/mcp.json']),
  json('Amp', ['.config/amp/settings.json'], [['amp.mcpServers']], ['.amp/settings.json']),
  json(
    'OpenCode',
    ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
    [['mcp']],
    ['opencode.json', 'opencode.jsonc'],
  ),
  json('Crush', ['.config/crush/crush.json'], [['mcp']], ['.crush.json', 'crush.json']),
  json('LM Studio', ['.lmstudio/mcp.json', '.cache/lm-studio/mcp.json']),
  json('Augment', ['.augment/settings.json']),
  json('Factory', ['.factory/mcp.json'], usual, ['.factory/mcp.json']),
  {
    client: 'Hermes Agent',
    format: 'yaml',
    keys: [['mcp_servers']],
    homeFiles: ['.hermes/config.yaml'],
  },
];
