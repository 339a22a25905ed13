import type { AppKind } from '../data/inventory-sources.ts';

export const kindNames: Record<AppKind, string> = {
  desktop_app: 'Desktop app',
  cli: 'Command line',
  editor_extension: 'Editor extension',
  mcp_server: 'MCP server',
  local_model_server: 'Local model server',
  browser_extension: 'Browser extension',
  built_in_feature: 'Built-in feature',
  plugin: 'Agent plugin',
  instruction_file: 'Instruction file',
  skill: 'Skill',
  hook: 'Hook',
  sub_agent: 'Sub-agent',
  local_model: 'Local model',
};
