import { z } from 'zod';
import { count, idParam, timestamp } from './fields.ts';
import { routes } from './route.ts';

const text = z.string().min(1);
const object = z.record(z.string(), z.unknown());
const runPath = z.object({ run_id: idParam });
const recorded = z.object({ status: z.literal('ok'), count });

export const step = z.object({ step_name: text, output: object.optional() });

export const llmCall = z.object({
  model: text,
  tokens_in: count,
  tokens_out: count,
  cost: z.number().min(0).optional(),
  task: z.string().optional(),
  prompt_preview: z.string().optional(),
  response_preview: z.string().optional(),
});

const spanKinds = ['tool', 'retriever', 'decision', 'reasoning', 'retry'] as const;
export const spanKind = z.enum(spanKinds);

export const span = z.object({
  name: text,
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
  name: text,
  data_type: scoreType.default('numeric'),
  numeric_value: z.number().optional(),
  // Clients send booleans as true and false; stored as their text.
  string_value: z.union([z.string(), z.boolean().transform(String)]).optional(),
  comment: z.string().optional(),
});

export const startRun = z.object({
  agent_name: text,
  workflow_name: text.default('default'),
  inputs: object.optional(),
  metadata: object.optional(),
  trace_id: z.string().optional(),
  session_id: z.string().optional(),
  user_id: z.string().optional(),
  user_group: z.string().optional(),
  tags: z.array(z.string()).optional(),
  parent_run_id: idParam.optional(),
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
    body: z.object({
      result: object.optional(),
      status: z.enum(['success', 'error']).default('success'),
      error: z.string().optional(),
      steps: z.array(step).default([]),
    }),
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
    body: z.object({ calls: z.array(llmCall) }),
    response: recorded,
  },
  recordSteps: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/steps/',
    summary: 'Record steps of a run',
    params: runPath,
    body: z.object({ steps: z.array(step) }),
    response: recorded,
  },
  recordSpans: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/spans/',
    summary: 'Record behavior spans of a run',
    params: runPath,
    body: z.object({ spans: z.array(span) }),
    response: recorded,
  },
  recordScores: {
    ...recording,
    method: 'POST',
    path: '/api/v1/observe/runs/{run_id}/scores/',
    summary: 'Record scores of a run',
    params: runPath,
    body: z.object({ scores: z.array(score) }),
    response: z.object({ recorded: count }),
  },
});
