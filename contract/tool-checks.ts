import { z } from 'zod';
import { timestamp } from './fields.ts';

/**
 * The programs whose tool calls are checked. `mcp-gateway` represents every client of a wrapped
 * server.
 */
export const toolClients = [
  'claude-code',
  'codex',
  'gemini-cli',
  'cursor',
  'copilot',
  'qwen-code',
  'opencode',
  'goose',
  'mcp-gateway',
] as const;
export type ToolClient = (typeof toolClients)[number];

/** A tool that a coding agent is about to call. The arguments stay on the device. */
export const toolCall = z.strictObject({
  client: z.enum(toolClients),
  tool: z.string().min(1).max(300).meta({
    description: 'name of the tool; for an MCP tool, without its server',
  }),
  mcp_server: z
    .string()
    .max(200)
    .regex(/^[^:]+$/, 'expected a name without a colon')
    .nullable(),
  session: z.string().max(200).nullable(),
  user: z.string().max(256).meta({ description: 'user of the device; empty if unknown' }),
});
export type ToolCall = z.output<typeof toolCall>;

export const toolDecisions = ['allow', 'deny', 'ask'] as const;
export type ToolDecision = (typeof toolDecisions)[number];

export const toolVerdict = z.object({
  decision: z.enum(toolDecisions).meta({
    description: '`ask`: refused until a person has approved it; the approval was requested',
  }),
  policy: z.string().nullable().meta({ description: 'name of the policy that refused the call' }),
  reason: z.string().meta({ description: 'shown to the user and to the model' }),
});
export type ToolVerdict = z.output<typeof toolVerdict>;

/** A call that the device decided on its own and reports afterwards. */
export const decidedToolCall = toolCall.extend({ at: timestamp });
export type DecidedToolCall = z.output<typeof decidedToolCall>;

const policy = { id: z.string(), name: z.string() };
const names = z.array(z.string());
const onViolation = z.enum(['block', 'warn']);

/** A policy in the format that devices evaluate. */
export const compiledPolicy = z.discriminatedUnion('decides', [
  z.object({
    decides: z.literal('tools'),
    ...policy,
    rules: z.object({
      allowed_tools: names,
      blocked_tools: names,
      action_on_violation: onViolation,
    }),
  }),
  z.object({
    decides: z.literal('mcp-servers'),
    ...policy,
    rules: z.object({
      allowed_servers: names,
      blocked_servers: names,
      action_on_violation: onViolation,
    }),
  }),
  z.object({
    decides: z.literal('control-plane'),
    ...policy,
    tools: names.nullable().meta({ description: 'the tools that it may refuse; null: any' }),
  }),
]);
export type CompiledPolicy = z.output<typeof compiledPolicy>;

export const toolPolicies = z.object({
  clients: z.record(
    z.string(),
    z.object({
      agent: z.string().meta({ description: 'agent name used in policy evaluation' }),
      policies: z.array(compiledPolicy).meta({ description: 'in evaluation order' }),
    }),
  ),
});
export type ToolPolicies = z.output<typeof toolPolicies>;
