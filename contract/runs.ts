import { z } from 'zod';
import { count, idParam, jsonObject, jsonStrings, page, paging, timestamp } from './fields.ts';
import { scoreType, spanKind } from './recording.ts';
import { routes } from './route.ts';

export const runStatus = z.enum(['running', 'success', 'error']);

export const runSummary = z.object({
  id: z.int(),
  agent_name: z.string(),
  workflow_name: z.string(),
  trace_id: z.string().nullable(),
  session_id: z.string().nullable(),
  user_id: z.string().nullable(),
  status: runStatus,
  started_at: timestamp,
  completed_at: timestamp.nullable(),
  duration: z.number().nullable().meta({ description: 'seconds; null while running' }),
  llm_call_count: count,
  // Sums may outgrow what one call may hold.
  tokens: z.number().min(0),
  cost: z.number().meta({ description: 'USD' }),
});

export const llmCallRecord = z.object({
  id: z.int(),
  run_id: z.int(),
  model: z.string(),
  task: z.string().nullable(),
  agent_name: z.string(),
  workflow_name: z.string(),
  tokens_in: count,
  tokens_out: count,
  total_tokens: count,
  cost: z.number(),
  created_at: timestamp,
  prompt_preview: z.string(),
  response_preview: z.string(),
  prompt_hash: z.string(),
});

export const stepRecord = z.object({
  step_name: z.string(),
  output: jsonObject.nullable(),
  created_at: timestamp,
});

export const spanRecord = z.object({
  name: z.string(),
  kind: spanKind,
  status: z.enum(['ok', 'error']),
  duration_ms: count.nullable(),
  position: z.int(),
  attributes: jsonObject.nullable(),
  input_data: jsonObject.nullable(),
  output_data: jsonObject.nullable(),
  created_at: timestamp,
});

export const scoreRecord = z.object({
  id: z.string(),
  name: z.string(),
  data_type: scoreType,
  source: z.enum(['manual', 'sdk', 'evaluator']),
  numeric_value: z.number().nullable(),
  string_value: z.string().nullable(),
  comment: z.string().nullable(),
  created_at: timestamp,
});

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;

export const runRoutes = routes({
  listRuns: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/runs/',
    summary: 'List runs, newest first',
    query: z.object({
      ...paging,
      agent: z.string().optional(),
      status: runStatus.optional(),
    }),
    response: page(runSummary),
  },
  getRun: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/runs/{id}/',
    summary: 'One run with its calls, steps, spans and scores',
    params: z.object({ id: idParam }),
    response: runSummary.extend({
      workflow_id: z.string(),
      user_group: z.string().nullable(),
      parent_run_id: z.int().nullable(),
      tags: jsonStrings,
      inputs: jsonObject.nullable(),
      metadata: jsonObject.nullable(),
      result: jsonObject.nullable(),
      error: z.string().nullable(),
      llm_calls: z.array(llmCallRecord),
      steps: z.array(stepRecord),
      spans: z.array(spanRecord),
      scores: z.array(scoreRecord),
    }),
  },
});
