import { z } from 'zod';
import { count, idParam, pastTime, timestamp } from './fields.ts';
import { actions } from './policy-actions.ts';
import { routes } from './route.ts';

/** Names and ids, short enough to be indexed. */
const name = z.string().min(1).max(200);
const id = z.string().max(200);
const text = z.string().max(1_000_000);
// The limits are far beyond any real call, and low enough that totals stay exact integers.
const tokens = count.max(1_000_000_000);
const usd = z.number().min(0).max(1_000_000);
const many = <S extends z.ZodType>(item: S) => z.array(item).max(1000);

/**
 * The id of a request. A repeated request with the same id gets the first result and is not stored
 * twice.
 */
export const batchId = z.uuid().nullish().meta({
  description: 'id of the request, stored for a day: repeating the request changes nothing',
});

const object = z.record(z.string(), z.unknown());
const runPath = z.object({ run_id: idParam });
const recorded = z.object({
  status: z.literal('ok'),
  count,
  governance_action: z
    .enum(actions)
    .optional()
    .meta({ description: 'set only if a policy objects to the run' }),
  governance_reason: z.string().optional(),
});

// Some clients write an empty id for no span.
const spanId = z.string().max(64).nullish();

/** The position of a record in its trace. */
const place = {
  span_id: spanId.meta({ description: 'chosen by the client; 16 hex digits with OpenTelemetry' }),
  parent_span_id: spanId.meta({
    description: 'the enclosing span; if absent, the record is a child of the run',
  }),
  started_at: pastTime.nullish().meta({ description: 'start time' }),
};

export const step = z.object({ step_name: name, output: object.nullish(), ...place });

/** A tool that a response requests. */
const toolCall = z.object({
  id: id.nullish(),
  name,
  arguments: z.unknown().optional().meta({ description: 'any JSON' }),
});

export const llmCall = z.object({
  model: name,
  tokens_in: tokens,
  tokens_out: tokens,
  cost: usd.nullish(),
  task: id.nullish(),
  provider: id.nullish(),
  cache_read_tokens: tokens.nullish().meta({ description: 'part of tokens_in' }),
  cache_write_tokens: tokens.nullish().meta({ description: 'part of tokens_in' }),
  reasoning_tokens: tokens.nullish().meta({ description: 'part of tokens_out' }),
  ...place,
  duration_ms: count.nullish(),
  time_to_first_token_ms: count.nullish(),
  finish_reason: id
    .nullish()
    .meta({ description: 'why the response ended, as reported by the provider' }),
  tool_calls: many(toolCall).nullish().meta({ description: 'tools requested by the response' }),
  prompt_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in lower-case hexadecimal')
    .nullish()
    .meta({ description: 'content_hash of the prompt version; default: hash of prompt_preview' }),
  response_id: text.nullish().meta({
    description:
      "the provider's response id, which identifies calls reported twice; ids of fewer " +
      'than 20 characters are not considered unique',
  }),
  created_at: pastTime.nullish().meta({ description: 'time of the response; default: now' }),
  prompt_preview: text.nullish(),
  response_preview: text.nullish(),
});

const spanKinds = ['tool', 'retriever', 'decision', 'reasoning', 'retry'] as const;
export const spanKind = z.enum(spanKinds);

export const span = z.object({
  name,
  // Some clients send `retrieval`, which is stored under the specified name.
  kind: z
    .enum([...spanKinds, 'retrieval'])
    .transform((kind) => (kind === 'retrieval' ? 'retriever' : kind)),
  status: z
    .enum(['ok', 'error'])
    .nullish()
    .transform((status) => status ?? 'ok'),
  ...place,
  duration_ms: count.nullish(),
  position: z
    .int()
    .nullish()
    .meta({ description: 'spans without a position sort first, in order of arrival' }),
  attributes: object.nullish(),
  input_data: object.nullish(),
  output_data: object.nullish(),
});

export const scoreType = z.enum(['numeric', 'categorical', 'boolean']);

const truth = z
  .union([z.boolean(), z.stringFormat('truth', /^(true|false)$/i), z.literal([0, 1])])
  .transform((value) => /^(true|1)$/i.test(String(value)));

// The limit is low enough that sums stay finite.
const amount = z.number().min(-1e15).max(1e15);

const A_NUMBER = 'a number between -1e15 and 1e15';
const A_TEXT = 'a text of at most 200 characters';

/** The values of a score by type. Clients send the value in a field for its type or as `value`. */
const scoreValues = {
  numeric: { schema: amount, fields: ['numeric_value', 'value'], expected: 'a number' },
  categorical: { schema: id, fields: ['string_value', 'value'], expected: 'some text' },
  boolean: {
    schema: truth,
    fields: ['string_value', 'numeric_value', 'value'],
    expected: 'true or false',
  },
} as const;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

export const score = z
  .object({
    name,
    data_type: scoreType.nullish().transform((type) => type ?? 'numeric'),
    numeric_value: z
      .union([amount, z.boolean()], { error: `expected ${A_NUMBER}, or a boolean` })
      .nullish(),
    string_value: z
      .union([id, z.boolean()], { error: `expected ${A_TEXT}, or a boolean` })
      .nullish(),
    value: z
      .union([amount, id, z.boolean()], { error: `expected ${A_NUMBER}, ${A_TEXT} or a boolean` })
      .nullish()
      .meta({ description: 'instead of numeric_value or string_value' }),
    comment: text.nullish(),
  })
  .transform((score, context) => {
    const { schema, fields, expected } = scoreValues[score.data_type];
    const given = fields.map((field) => score[field]).find(isGiven);
    const { success, data } = schema.safeParse(given);
    const { name, data_type, comment, numeric_value, string_value, value } = score;
    const none = { name, data_type, comment, numeric_value: null, string_value: null };
    // Only the name of a score is required.
    if (![numeric_value, string_value, value].some(isGiven)) return none;
    if (success)
      return typeof data === 'number'
        ? { ...none, numeric_value: data }
        : { ...none, string_value: String(data) };
    context.addIssue({
      code: 'custom',
      path: [fields[0]],
      message: `expected ${expected} for a score of type ${data_type}`,
    });
    return z.NEVER;
  });

export const startRun = z.object({
  batch_id: batchId,
  agent_name: name,
  workflow_name: name.nullish().transform((workflow) => workflow ?? 'default'),
  inputs: object.nullish(),
  metadata: object.nullish(),
  trace_id: id.nullish(),
  session_id: id.nullish(),
  user_id: id.nullish(),
  user_group: id.nullish(),
  end_user_id: id.nullish().meta({ description: "the customer's customer; else user_id" }),
  tags: z.array(id).max(100).nullish(),
  started_at: pastTime.nullish().meta({ description: 'default: now' }),
  parent_run_id: z
    .union([z.int().min(1), idParam], { error: 'expected the id of a run' })
    .nullish(),
  parent_span_id: spanId.meta({ description: 'the span of the parent run that started this run' }),
});

export const completeRun = z.object({
  batch_id: batchId,
  result: object.nullish(),
  status: z
    .enum(['success', 'error'])
    .nullish()
    .transform((status) => status ?? 'success'),
  error: text.nullish(),
  completed_at: pastTime.nullish().meta({ description: 'default: now' }),
  steps: many(step)
    .nullish()
    .transform((steps) => steps ?? []),
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
      governance_action: z.enum(actions),
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
