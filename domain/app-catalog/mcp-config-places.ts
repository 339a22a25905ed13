import { agentMcpConfigs } from './agent-mcp-configs.ts';
import { type McpConfigPlace, json, toml, xml, yaml } from './entry.ts';

/** Settings folders of the editors of the VS Code family. */
const editorFolders = [
  'Antigravity',
  'Code',
  'Code - Insiders',
  'CodeBuddy',
  'Cursor',
  'Kiro',
  'Positron',
  'Qoder',
  'Trae',
  'Trae CN',
  'VSCodium',
  'Void',
  'Windsurf',
  'Windsurf - Next',
];

/** User settings folders of these editors: on this machine, on servers, in containers. */
const userFolders = [
  ...editorFolders.map((folder) => `{app-data}/${folder}/User`),
  '.vscode-server/data/User',
  '.vscode-server-insiders/data/User',
  '.cursor-server/data/User',
  '.windsurf-server/data/User',
  '.local/share/code-server/User',
  '.var/app/com.visualstudio.code/config/Code/User',
  '.var/app/com.vscodium.codium/config/VSCodium/User',
];

/**
 * The file in every user settings folder and in every profile, which VS Code keeps in separate
 * folders.
 */
const inUserFolders = (file: string) =>
  userFolders.flatMap((folder) => [`${folder}/${file}`, `${folder}/profiles/*/${file}`]);

const globalStorage = (file: string) =>
  userFolders.map((folder) => `${folder}/globalStorage/${file}`);

const desktopApps: McpConfigPlace[] = [
  json('Claude Desktop', 'https://modelcontextprotocol.io/docs/develop/connect-local-servers', {
    homeFiles: ['{app-data}/Claude/claude_desktop_config.json'],
  }),
  json(
    'Claude Desktop extension',
    'https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md',
    { homeFiles: ['{app-data}/Claude/Claude Extensions/*/manifest.json'], single: true },
    [['server', 'mcp_config']],
  ),
  json('LM Studio', 'https://lmstudio.ai/docs/app/mcp', {
    homeFiles: ['.lmstudio/mcp.json', '.cache/lm-studio/mcp.json'],
  }),
  json(
    'Jan',
    'https://www.jan.ai/docs/desktop/mcp',
    { homeFiles: ['{data}/Jan/data/mcp_config.json', '{app-data}/Jan/data/mcp_config.json'] },
    [['mcpServers'], []],
  ),
  json('AnythingLLM', 'https://docs.anythingllm.com/mcp-compatibility/overview', {
    homeFiles: ['{app-data}/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json'],
  }),
  json('Cherry Studio', 'https://docs.cherry-ai.com/docs/en-us/advanced-basic/mcp', {
    homeFiles: [
      '{app-data}/CherryStudio/mcp_servers.json',
      '{app-data}/CherryStudio/mcp_settings.json',
      '{app-data}/CherryStudio/mcp.json',
      '.cherrystudio/mcp.json',
      '.cherrystudio/mcp/mcp.json',
    ],
  }),
  json(
    '5ire',
    'https://github.com/nanbingxyz/5ire',
    { homeFiles: ['{app-data}/5ire/mcp.json', '.5ire/mcp.json'] },
    [['mcpServers'], ['servers']],
  ),
  json('BoltAI', 'https://docs.boltai.com/docs/plugins/mcp-servers', {
    homeFiles: ['.boltai/mcp.json'],
  }),
  json('Warp', 'https://docs.warp.dev/agents/capabilities/mcp', {
    homeFiles: ['.warp/.mcp.json', '.warp_cli/.mcp.json'],
    projectFiles: ['.warp/.mcp.json'],
  }),
];

const editors: McpConfigPlace[] = [
  json('Cursor', 'https://cursor.com/docs/context/mcp', {
    homeFiles: ['.cursor/mcp.json'],
    projectFiles: ['.cursor/mcp.json'],
  }),
  json('Windsurf', 'https://docs.windsurf.com/windsurf/cascade/mcp', {
    homeFiles: [
      '.codeium/windsurf/mcp_config.json',
      '.codeium/windsurf-next/mcp_config.json',
      '.codeium/mcp_config.json',
    ],
    projectFiles: ['.windsurf/mcp.json', '.windsurf/mcp_config.json'],
  }),
  json('Devin', 'https://docs.devin.ai', { homeFiles: ['.config/devin/mcp_config.json'] }),
  json('Trae', 'https://docs.trae.ai/ide/add-mcp-servers', {
    homeFiles: ['.trae/mcp.json', '.trae-cn/mcp.json'],
    projectFiles: ['.trae/mcp.json'],
  }),
  json('Baidu Comate', 'https://comate.baidu.com', {
    homeFiles: ['.comate/mcp.json'],
    projectFiles: ['.comate/mcp.json'],
  }),
  json(
    'VS Code',
    'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
    { homeFiles: inUserFolders('mcp.json'), projectFiles: ['.vscode/mcp.json'] },
    [['servers'], ['mcpServers']],
  ),
  json(
    'VS Code',
    'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
    { homeFiles: inUserFolders('settings.json'), projectFiles: ['.vscode/settings.json'] },
    [['mcp', 'servers'], ['mcp.servers'], ['amp.mcpServers']],
  ),
  json(
    'VS Code',
    'https://github.com/microsoft/vscode/issues/247277',
    { projectFiles: ['*.code-workspace'] },
    [
      ['settings', 'mcp', 'servers'],
      ['settings', 'mcp.servers'],
      ['settings', 'amp.mcpServers'],
    ],
  ),
  json(
    'VS Code in a development container',
    'https://github.com/microsoft/vscode/blob/main/extensions/configuration-editing/schemas/devContainer.vscode.schema.json',
    {
      projectFiles: [
        '.devcontainer/devcontainer.json',
        '.devcontainer.json',
        '.devcontainer/*/devcontainer.json',
      ],
    },
    [
      ['customizations', 'vscode', 'mcp', 'servers'],
      ['customizations', 'vscode', 'settings', 'mcp', 'servers'],
      ['customizations', 'vscode', 'settings', 'mcp.servers'],
    ],
  ),
  json(
    'Zed',
    'https://zed.dev/docs/ai/mcp',
    {
      homeFiles: [
        '.config/zed/settings.json',
        '{app-data}/Zed/settings.json',
        '.var/app/dev.zed.Zed/config/zed/settings.json',
      ],
      projectFiles: ['.zed/settings.json'],
    },
    [['context_servers']],
  ),
  json('JetBrains AI', 'https://www.jetbrains.com/help/ai-assistant/mcp.html', {
    homeFiles: ['.ai/mcp/mcp.json', '{app-data}/JetBrains/*/mcp.json'],
    projectFiles: ['.ai/mcp/mcp.json'],
  }),
  xml(
    'JetBrains AI',
    'https://www.jetbrains.com/help/ai-assistant/mcp.html',
    { homeFiles: ['{app-data}/JetBrains/*/options/llm.mcpServers.xml'] },
    [['servers']],
  ),
  json(
    'Copilot in JetBrains',
    'https://docs.github.com/en/copilot/how-tos/provide-context/use-mcp/extend-copilot-chat-with-mcp',
    {
      homeFiles: [
        '.config/github-copilot/intellij/mcp.json',
        '{app-data}/github-copilot/intellij/mcp.json',
        '.config/github-copilot/xcode/mcp.json',
      ],
    },
    [['servers'], ['mcpServers']],
  ),
  json(
    'MCP Hub for Neovim',
    'https://github.com/ravitemer/mcphub.nvim',
    { homeFiles: ['.config/mcphub/servers.json'], projectFiles: ['.mcphub/servers.json'] },
    [['mcpServers'], ['nativeMCPServers']],
  ),
  json('Claude in Xcode', 'https://developer.apple.com/xcode/', {
    homeFiles: ['Library/Developer/Xcode/CodingAssistant/ClaudeAgentConfig/.claude.json'],
  }),
  toml(
    'Codex in Xcode',
    'https://developer.apple.com/xcode/',
    { homeFiles: ['Library/Developer/Xcode/CodingAssistant/codex/config.toml'] },
    [['mcp_servers']],
  ),
];

const editorExtensions: McpConfigPlace[] = [
  json('Cline', 'https://docs.cline.bot/mcp/configuring-mcp-servers', {
    homeFiles: [
      ...globalStorage('saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
      '.cline/data/settings/cline_mcp_settings.json',
    ],
  }),
  json('Amazon Q in VS Code', 'https://github.com/msaad00/agent-bom', {
    homeFiles: globalStorage('amazonwebservices.amazon-q-vscode/mcp.json'),
  }),
  json('Roo Code', 'https://docs.roocode.com/features/mcp/using-mcp-in-roo', {
    homeFiles: [
      ...globalStorage('rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
      ...globalStorage('rooveterinaryinc.roo-cline/settings/cline_mcp_settings.json'),
    ],
    projectFiles: ['.roo/mcp.json'],
  }),
  json('Kilo Code', 'https://kilo.ai/docs/automate/mcp/using-in-kilo-code', {
    homeFiles: [
      ...globalStorage('kilocode.kilo-code/settings/mcp_settings.json'),
      '.kilocode/cli/global/settings/mcp_settings.json',
    ],
    projectFiles: ['.kilocode/mcp.json'],
  }),
  yaml('Continue', 'https://docs.continue.dev/customize/deep-dives/mcp', {
    homeFiles: [
      '.continue/config.yaml',
      '.continue/mcpServers/*.yaml',
      '.continue/mcpServers/*.yml',
    ],
    projectFiles: ['.continue/mcpServers/*.yaml', '.continue/mcpServers/*.yml'],
  }),
  json(
    'Continue',
    'https://docs.continue.dev/customize/deep-dives/mcp',
    {
      homeFiles: ['.continue/config.json', '.continue/mcpServers/*.json'],
      projectFiles: ['.continue/mcpServers/*.json'],
    },
    [['mcpServers'], ['experimental', 'modelContextProtocolServers']],
  ),
  json(
    'Tabnine',
    'https://docs.tabnine.com/main/getting-started/tabnine-agent/mcp-intro-and-setup',
    {
      homeFiles: ['.tabnine/mcp_servers.json'],
      projectFiles: ['.tabnine/mcp_servers.json'],
    },
  ),
];

/** File names that many clients use, each in its own folder. */
const usualNames = ['mcp.json', 'mcp_config.json', 'mcp_settings.json', 'mcp_servers.json'];

const otherClients = json(
  'an MCP client that the catalog does not know',
  'https://gofastmcp.com/integrations/mcp-json-configuration',
  {
    anyClient: true,
    homeFiles: ['.*', '.*/settings', '{app-data}/*'].flatMap((folder) =>
      usualNames.map((name) => `${folder}/${name}`),
    ),
  },
  [['mcpServers'], ['servers']],
);

/**
 * Files in which MCP clients configure the servers that they start. The first place that matches a
 * file wins.
 */
export const mcpConfigPlaces: readonly McpConfigPlace[] = [
  ...desktopApps,
  ...editors,
  ...agentMcpConfigs,
  ...editorExtensions,
  otherClients,
];
