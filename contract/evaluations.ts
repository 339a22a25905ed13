import { z } from 'zod';
import {
  count,
  idParam,
  jsonObject,
  page,
  paging,
  range,
  startBeforeEnd,
  timestamp,
} from './fields.ts';
import { actions, phases } from './policy-actions.ts';
import { routes } from './route.ts';

const name = z.string().min(1).max(200);
const id = z.string().max(200);
const names = z
  .array(name)
  .max(100)
  .nullish()
  .transform((value) => value ?? []);
const action = z.enum(actions);

export const riskLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;

export const policyCheck = z.object({
  agent_name: name,
  workflow_name: name.nullish().transform((workflow) => workflow ?? 'default'),
  agent_id: id.nullish().meta({ description: 'identifies the instance of the agent' }),
  session_id: id.nullish(),
  user_id: id.nullish(),
  user_group: id.nullish(),
  end_user_id: id.nullish().meta({ description: "the customer's customer; else user_id" }),
  inputs: z.unknown().optional().meta({ description: 'inputs of the run: any JSON' }),
  models: names.meta({ description: 'models that the run will use' }),
  tools: names.meta({ description: 'tools that the run will use' }),
  tool_calls: z
    .array(z.strictObject({ name, arguments: z.unknown().optional() }))
    .max(100)
    .nullish()
    .transform((value) => value ?? [])
    .meta({
      description:
        'tool calls that the agent is about to make, for the approvers; their tools count as `tools`',
      examples: [[{ name: 'deploy', arguments: { service: 'shop', version: '2.4' } }]],
    }),
  mcp_servers: names.meta({ description: 'MCP servers whose tools the run will use' }),
  action_type: id.nullish().meta({ description: 'such as `deploy` or `payment`' }),
  risk_level: z.enum(riskLevels).nullish(),
  estimated_cost: z.number().min(0).max(1_000_000).nullish().meta({ description: 'USD' }),
});

export const evaluationRecord = z.object({
  id: z.string(),
  run_id: z.int().nullable().meta({ description: 'null for pre-run checks' }),
  policy_id: z.string().nullable().meta({ description: 'null if no policy applied' }),
  policy_name: z.string().nullable(),
  category: z.string().nullable(),
  phase: z.enum(phases),
  action,
  reason: z.string(),
  metadata: jsonObject,
  agent_name: z.string(),
  workflow_name: z.string(),
  evaluation_count: count.meta({ description: 'number of identical evaluations during the run' }),
  created_at: timestamp,
  updated_at: timestamp,
});

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;

/** The filters of lists of evaluations, and of the incidents that evaluations raise. */
export const evaluationFilters = {
  policy_id: z.string().optional(),
  category: z.string().optional(),
  action: action.optional(),
  agent: z.string().optional(),
  run_id: idParam.optional(),
  ...range,
  ...paging,
};

export const evaluationRoutes = routes({
  checkPolicy: {
    method: 'POST',
    path: '/api/v1/observe/policy-check/',
    summary: 'Check whether an agent may run: the combined result of all policies that apply',
    auth: 'api-key',
    permission: 'record',
    errors: 'text',
    body: policyCheck,
    response: z.object({
      action,
      reason: z.string(),
      metadata: z.record(z.string(), z.unknown()).meta({
        description:
          'metadata of the strictest policy, with `policy_id`, `policy_name` and `category`; `evaluations` has the result of each policy',
      }),
    }),
  },
  listEvaluations: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/evaluations/',
    summary: 'List policy evaluations, newest first',
    query: z
      .object({ ...evaluationFilters, phase: z.enum(phases).optional() })
      .check(startBeforeEnd),
    response: page(evaluationRecord),
  },
});
