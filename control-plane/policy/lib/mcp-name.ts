import { memoize } from '../../lib/memoize.ts';
import type { Situation } from '../category.ts';

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

/** The tools of a check, or of telemetry just recorded. Cached, because many policies use it. */
export const toolsOf = memoize(findTools);

function findTools({ phase, agent, workflow, intent, tools }: Situation): ToolName[] {
  if (phase !== 'before_workflow')
    return tools.map(({ name, server }) => parseMcpName(name) ?? { tool: name, server });
  return [
    ...[agent, workflow].flatMap((name) => parseMcpName(name) ?? []),
    ...intent.tools.map((tool) => parseMcpName(tool) ?? { tool, server: null }),
    ...intent.mcpServers.map((server) => ({ tool: null, server })),
  ];
}
