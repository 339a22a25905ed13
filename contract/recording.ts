import { z } from 'zod';
import { count, idParam, pastTime, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** Names and ids: short enough to be indexed. */
const name = z.string().min(1).max(200);
const id = z.string().max(200);
const text = z.string().max(1_000_000);
// Far beyond any real call, and far enough from the end of exact integers that totals stay exact.
const tokens = count.max(1_000_000_000);
const usd = z.number().min(0).max(1_000_000);
const many = <S extends z.ZodType>(item: S) => z.array(item).max(1000);

/** Sent again with the same id, a request is answered as before and not stored twice. */
export const batchId = z.uuid().optional().meta({
  description: 'an id of the request, remembered for a day: sending it again changes nothing',
});

const object = z.record(z.string(), z.unknown());
const runPath = z.object({ run_id: idParam });
const recorded = z.object({ status: z.literal('ok'), count });

export const step = z.object({ step_name: name, output: object.optional() });

export const llmCall = z.object({
  model: name,
  tokens_in: tokens,
  tokens_out: tokens,
  cost: usd.optional(),
  task: id.optional(),
  provider: id.optional(),
  cache_read_tokens: tokens.optional().meta({ description: 'part of tokens_in' }),
  cache_write_tokens: tokens.optional().meta({ description: 'part of tokens_in' }),
  duration_ms: count.optional(),
  prompt_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in lower-case hexadecimal')
    .optional()
    .meta({ description: 'content_hash of the prompt version; else that of prompt_preview' }),
  created_at: pastTime.optional().meta({ description: 'when it happened; else now' }),
  prompt_preview: text.optional(),
  response_preview: text.optional(),
});

const spanKinds = ['tool', 'retriever', 'decision', 'reasoning', 'retry'] as const;
export const spanKind = z.enum(spanKinds);

export const span = z.object({
  name,
  // Clients in the field say `retrieval`; it is stored under the specified name.
  kind: z
    .enum([...spanKinds, 'retrieval'])
    .transform((kind) => (kind === 'retrieval' ? 'retriever' : kind)),
  status: z.enum(['ok', 'error']).default('ok'),
  duration_ms: count.nullish(),
  position: z.int().optional(),
  attributes: object.optional(),
  input_data: object.optional(),
  output_data: object.optional(),
});

export const scoreType = z.enum(['numeric', 'categorical', 'boolean']);

export const score = z.object({
  name,
  data_type: scoreType.default('numeric'),
  // Far enough from the end of doubles that sums stay finite.
  numeric_value: z.number().min(-1e15).max(1e15).optional(),
  // Clients send booleans as true and false; stored as their text.
  string_value: z.union([id, z.boolean().transform(String)]).optional(),
  comment: text.optional(),
});

export const startRun = z.object({
  batch_id: batchId,
  agent_name: name,
  workflow_name: name.default('default'),
  inputs: object.optional(),
  metadata: object.optional(),
  trace_id: id.optional(),
  session_id: id.optional(),
  user_id: id.optional(),
  user_group: id.optional(),
  tags: z.array(id).max(100).optional(),
  started_at: pastTime.optional().meta({ description: 'when it started; else now' }),
  parent_run_id: idParam.optional(),
});

export const completeRun = z.object({
  batch_id: batchId,
  result: object.optional(),
  status: z.enum(['success', 'error']).default('success'),
  error: text.optional(),
  completed_at: pastTime.optional().meta({ description: 'when it ended; else now' }),
  steps: many(step).default([]),
});

const recording = { auth: 'api-key', permission: 'record', errors: 'text' } as const;

export const recordingRoutes = routes({
  startRun: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/start/',
    summary: 'Start a run',
    body: startRun,
    status: 201,
    response: z.object({ run_id: z.string(), workflow_id: z.string(), started_at: timestamp }),
  },
  completeRun: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/complete/',
    summary: 'Complete a run',
    params: runPath,
    body: completeRun,
    response: z.object({
      status: z.literal('ok'),
      governance_action: z.string(),
      should_retry: z.boolean(),
      retry_feedback: z.string().nullable(),
      max_retries: count,
    }),
  },
  recordLlmCalls: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/llm-calls/',
    summary: 'Record LLM calls of a run',
    params: runPath,
    body: z.object({ batch_id: batchId, calls: many(llmCall) }),
    response: recorded,
  },
  recordSteps: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/steps/',
    summary: 'Record steps of a run',
    params: runPath,
    body: z.object({ batch_id: batchId, steps: many(step) }),
    response: recorded,
  },
  recordSpans: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/spans/',
    summary: 'Record behavior spans of a run',
    params: runPath,
    body: z.object({ batch_id: batchId, spans: many(span) }),
    response: recorded,
  },
  recordScores: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/scores/',
    summary: 'Record scores of a run',
    params: runPath,
    body: z.object({ batch_id: batchId, scores: many(score) }),
    response: z.object({ recorded: count }),
  },
});
