import { memoize } from '../../lib/memoize.ts';
import type { Situation } from '../category.ts';

/** A tool; an MCP server alone where no tool of it is known. */
export interface ToolName {
  tool: string | null;
  server: string | null;
}

/** Clients ask about an MCP tool under `mcp:<server>:<tool>`, as if it were an agent or workflow. */
export function parseMcpName(name: string): ToolName | undefined {
  const [, server, tool] = /^mcp:([^:]+)(?::(.+))?$/s.exec(name) ?? [];
  return server === undefined ? undefined : { server, tool: tool ?? null };
}

/** The tools that a check is about; later those that have just been recorded. Many policies ask. */
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
