/** A tool; for an unknown tool, only the MCP server. */
export interface ToolName {
  tool: string | null;
  server: string | null;
}

/** Clients check an MCP tool as `mcp:<server>:<tool>`, in place of an agent or workflow name. */
export function parseMcpName(name: string): ToolName | undefined {
  const [, server, tool] = /^mcp:([^:]+)(?::(.+))?$/s.exec(name) ?? [];
  return server === undefined ? undefined : { server, tool: tool ?? null };
}

export const parseToolName = (name: string): ToolName =>
  parseMcpName(name) ?? { tool: name, server: null };

/** The full name of a tool, as policy checks state it. */
export const fullToolName = (tool: string, server: string | null): string =>
  server === null ? tool : `mcp:${server}:${tool}`;
