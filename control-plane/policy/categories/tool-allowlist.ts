import { z } from 'zod';
import { category } from '../category.ts';
import { type ToolName, toolsOf } from '../lib/mcp-name.ts';
import { findRefused, nameList } from '../lib/name-list.ts';

/** Restricts which tools agents may use. An MCP tool matches by its own and by its full name. */
export const toolAllowlist = category({
  name: 'tool-allowlist',
  summary: 'Allows and blocks tools by name',
  rules: z.strictObject({
    allowed_tools: nameList,
    blocked_tools: nameList,
    action_on_violation: z.enum(['block', 'warn']).default('block'),
  }),
  phases: ['before_workflow', 'mid_execution'],
  evaluate({ rules: { allowed_tools, blocked_tools, action_on_violation: action }, situation }) {
    const tools = toolsOf(situation).flatMap(namesOf);
    if (tools.length === 0) return null;
    const refused = findRefused(tools, { allowed: allowed_tools, blocked: blocked_tools });
    if (!refused) return { action: 'allow', reason: 'Tools within policy' };
    const { name: tool, verdict } = refused;
    const rule = verdict === 'blocked' ? 'blocked_tools' : 'allowed_tools';
    return { action, reason: `Tool '${tool}' is ${verdict}`, metadata: { rule, tool } };
  },
});

function namesOf({ tool, server }: ToolName): [string, ...string[]][] {
  if (tool === null) return [];
  return server === null ? [[tool]] : [[`mcp:${server}:${tool}`, tool]];
}
