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
  wholeNumber,
} from './fields.ts';
import { costSource } from './costs.ts';
import { evaluationRecord } from './evaluations.ts';
import { incident } from './incidents.ts';
import { listedMemory } from './memory-slot.ts';
import { scoreType, spanKind } from './recording.ts';
import { routes } from './route.ts';
import { runFindings, runListRoutes, runStatus, runSummary } from './run-list.ts';
import { foundInTrace, MAX_TRACE_PAGE, runTrace } from './run-trace.ts';

export { runStatus, runSummary };

/** The position of a record in its trace. */
const place = {
  span_id: z.string().nullable(),
  parent_span_id: z.string().nullable(),
  started_at: timestamp.nullable(),
};

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
  reasoning_tokens: count.nullable().meta({ description: 'part of tokens_out' }),
  ...place,
  duration_ms: count.nullable(),
  time_to_first_token_ms: count.nullable(),
  finish_reason: z.string().nullable(),
  created_at: timestamp,
  prompt_preview: z.string(),
  response_preview: z.string(),
  prompt_hash: z.string(),
});

export const toolCallRecord = z.object({
  id: z.string().nullable(),
  name: z.string(),
  arguments: z.unknown(),
});

export const stepRecord = z.object({
  id: z.int(),
  step_name: z.string(),
  output: jsonObject.nullable(),
  ...place,
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
  ...place,
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
  ...runListRoutes,
  getRun: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/runs/{id}/',
    summary: 'One run with the first hundred items of each kind recorded on it',
    params: runPath,
    response: runSummary.extend({
      ...runFindings,
      workflow_id: z.string(),
      user_group: z.string().nullable(),
      parent_run_id: z.int().nullable(),
      parent_span_id: z
        .string()
        .nullable()
        .meta({ description: 'the span of the parent run that started this run' }),
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
      device: z
        .object({ id: z.string(), hostname: z.string() })
        .nullable()
        .meta({ description: 'the device that captured it, or whose coding agent reported it' }),
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
  getRunTrace: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/runs/{id}/trace/',
    summary: 'All records of a run and of the runs started inside it, without their texts',
    params: runPath,
    query: z.object({
      cursor: z
        .string()
        .max(500)
        .optional()
        .meta({ description: '`next_cursor` of the page before' }),
      limit: wholeNumber(1)
        .prefault(1000)
        .transform((limit) => Math.min(limit, MAX_TRACE_PAGE)),
    }),
    response: runTrace,
  },
  searchRunTrace: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/runs/{id}/trace/search/',
    summary:
      'Which records of a run, and of the runs started inside it, contain a text in their prompts, responses, inputs, outputs, attributes, errors or reasons',
    params: runPath,
    query: z.object({
      text: z.string().trim().min(1).max(200).meta({ description: 'in any case' }),
    }),
    response: foundInTrace,
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
