import type { AppKind } from '../data/sources.ts';

export const kindNames: Record<AppKind, string> = {
  desktop_app: 'Desktop app',
  cli: 'Command line',
  editor_extension: 'Editor extension',
  mcp_server: 'MCP server',
  local_model_server: 'Local model server',
};

/** Flags are identifiers of the agent's: `unsigned_binary` reads as words. */
export const riskText = (flag: string): string => flag.replaceAll(/[_-]+/g, ' ');
