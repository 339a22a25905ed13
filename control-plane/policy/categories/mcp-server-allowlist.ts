import { z } from 'zod';
import { category } from '../category.ts';
import { toolsOf } from '../lib/mcp-name.ts';
import { findRefused, nameList } from '../lib/name-list.ts';

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
  evaluate({
    rules: { allowed_servers, blocked_servers, action_on_violation: action },
    situation,
  }) {
    const servers = toolsOf(situation).flatMap(({ server }) => (server === null ? [] : [[server]]));
    if (servers.length === 0) return null;
    const refused = findRefused(servers as [string][], {
      allowed: allowed_servers,
      blocked: blocked_servers,
    });
    if (!refused) return { action: 'allow', reason: 'MCP servers within policy' };
    const { name: server, verdict } = refused;
    const rule = verdict === 'blocked' ? 'blocked_servers' : 'allowed_servers';
    return { action, reason: `MCP server '${server}' is ${verdict}`, metadata: { rule, server } };
  },
});
