import { z } from 'zod';
import { checkTools } from '#domain/tool-policies/allowlists.ts';
import { category } from '../category.ts';
import { toolsOf, nameList } from '../lib/mcp-name.ts';

/**
 * Restricts which tools agents may use. An MCP tool is matched by its own name and by its full
 * name.
 */
export const toolAllowlist = category({
  name: 'tool-allowlist',
  summary: 'Allows and blocks tools by name',
  rules: z.strictObject({
    allowed_tools: nameList,
    blocked_tools: nameList,
    action_on_violation: z.enum(['block', 'warn']).default('block'),
  }),
  phases: ['before_workflow', 'mid_execution'],
  compileForToolCalls: ({ id, name }, rules) => ({ decides: 'tools', id, name, rules }),
  evaluate: ({ rules, situation }) => checkTools(rules, toolsOf(situation)),
});
