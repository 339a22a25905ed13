import { z } from 'zod';
import { checkServers } from '#domain/tool-policies/allowlists.ts';
import { category } from '../category.ts';
import { toolsOf, nameList } from '../lib/mcp-name.ts';

/** Restricts which MCP servers agents may use, for any of their tools. */
export const mcpServerAllowlist = category({
  name: 'mcp-server-allowlist',
  summary: 'Allows and blocks MCP servers by name',
  rules: z.strictObject({
    allowed_servers: nameList,
    blocked_servers: nameList,
    action_on_violation: z.enum(['block', 'warn']).default('block'),
  }),
  phases: ['before_workflow', 'mid_execution'],
  compileForToolCalls: ({ id, name }, rules) => ({ decides: 'mcp-servers', id, name, rules }),
  evaluate: ({ rules, situation }) => checkServers(rules, toolsOf(situation)),
});
