import { z } from 'zod';
import {
  count,
  idParam,
  jsonObject,
  jsonStrings,
  page,
  paging,
  timestamp,
  truncated,
} from './fields.ts';
import { costSource } from './costs.ts';
import { evaluationRecord, incident } from './governance.ts';
import { listedMemory } from './memory-slot.ts';
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
  // Sums may exceed the limit of a single call.
  tokens: z.number().min(0),
  cost: z.number().meta({ description: 'USD' }),
});

export const llmCallRecord = z.object({
  id: z.int(),
  run_id: z.int(),
  model: z.string(),
  provider: z.string().nullable(),
  task: z.string().nullable(),
  agent_name: z.string(),
  workflow_name: z.string(),
  tokens_in: count,
  tokens_out: count,
  total_tokens: count,
  cache_read_tokens: count.meta({ description: 'part of tokens_in' }),
  cache_write_tokens: count.meta({ description: 'part of tokens_in' }),
  cost: z.number().meta({ description: 'USD; 0 when unpriced' }),
  cost_source: costSource,
  duration_ms: count.nullable(),
  created_at: timestamp,
  prompt_preview: z.string(),
  response_preview: z.string(),
  prompt_hash: z.string(),
});

export const stepRecord = z.object({
  id: z.int(),
  step_name: z.string(),
  output: jsonObject.nullable(),
  created_at: timestamp,
});

export const listedStep = stepRecord.extend({
  truncated: truncated('the output is too long for a list and null here'),
});

export const spanSummary = z.object({
  id: z.int(),
  name: z.string(),
  kind: spanKind,
  status: z.enum(['ok', 'error']),
  duration_ms: count.nullable(),
  position: z.int(),
  created_at: timestamp,
});

const contents = {
  attributes: jsonObject.nullable(),
  input_data: jsonObject.nullable(),
  output_data: jsonObject.nullable(),
};

export const listedSpan = spanSummary.extend({
  ...contents,
  truncated: truncated(
    'attributes, input_data or output_data is null here, because it or the whole list is too long',
  ),
});

export const spanRecord = spanSummary.extend({ run_id: z.int(), ...contents });

export const scoreRecord = z.object({
  id: z.string(),
  name: z.string(),
  data_type: scoreType,
  source: z.enum(['manual', 'sdk', 'evaluator']),
  numeric_value: z.number().nullable(),
  string_value: z.string().nullable(),
  comment: z.string().nullable(),
  truncated: truncated('the comment is cut here to 200 characters'),
  created_at: timestamp,
});

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;
const runPath = z.object({ id: idParam });

const listOf = <const P extends string, S extends z.ZodType>(kind: P, summary: string, item: S) =>
  ({
    ...session,
    method: 'GET',
    path: `/api/v1/observability/runs/{id}/${kind}/`,
    summary,
    params: runPath,
    query: z.object(paging),
    response: page(item),
  }) as const;

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
    summary: 'One run with the first hundred items of each kind recorded on it',
    params: runPath,
    response: runSummary.extend({
      workflow_id: z.string(),
      user_group: z.string().nullable(),
      parent_run_id: z.int().nullable(),
      tags: jsonStrings,
      inputs: jsonObject.nullable(),
      metadata: jsonObject.nullable(),
      result: jsonObject.nullable(),
      error: z.string().nullable(),
      captured: z
        .object({
          device_id: z.string(),
          hostname: z.string(),
          capture_id: z.string().nullable().meta({ description: 'null: the capture was deleted' }),
        })
        .nullable()
        .meta({ description: 'the captured exchange; null for runs reported by clients' }),
      counts: z.object({
        llm_calls: count,
        steps: count,
        spans: count,
        scores: count,
        evaluations: count,
        incidents: count,
      }),
      llm_calls: z.array(llmCallRecord),
      steps: z.array(listedStep),
      spans: z.array(listedSpan),
      scores: z.array(scoreRecord),
      evaluations: z.array(evaluationRecord),
      incidents: z.array(incident),
      memory: z.array(listedMemory),
    }),
  },
  listRunLlmCalls: listOf(
    'llm-calls',
    'List the LLM calls of a run in order of time, with shortened texts',
    llmCallRecord,
  ),
  listRunSteps: listOf(
    'steps',
    'List the steps of a run in recording order, without long outputs',
    listedStep,
  ),
  listRunSpans: listOf(
    'spans',
    'List the spans of a run by position, without long contents',
    listedSpan,
  ),
  listRunScores: listOf('scores', 'List the scores of a run in recording order', scoreRecord),
  getStep: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/runs/{id}/steps/{step_id}/',
    summary: 'One step with its complete output',
    params: runPath.extend({ step_id: idParam }),
    response: stepRecord,
  },
  getSpan: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/runs/{id}/spans/{span_id}/',
    summary: 'One span with its complete contents',
    params: runPath.extend({ span_id: idParam }),
    response: spanRecord,
  },
});
