import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { actions, phases } from './policy-actions.ts';
import { spanKind } from './recording.ts';

/**
 * The types of items in a trace:
 *
 * - `run`: the run itself, or one that was started inside it.
 * - `tool`, `span`: a recorded span, by its kind.
 * - `verdict`, `incident`: results of policy evaluations of a run.
 * - `link`: an OpenTelemetry span without AI work, of which only the position is known. It connects
 *   a record to the next one above it.
 */
export const traceItemKind = z.enum([
  'run',
  'llm_call',
  'tool',
  'span',
  'step',
  'verdict',
  'incident',
  'link',
]);

/** One record of a run, without its texts. */
export const traceItem = z.object({
  kind: traceItemKind,
  id: z.string().meta({ description: 'for the detail route; unique within its kind' }),
  run_id: z.int().meta({ description: 'the run that it was recorded on' }),
  span_id: z.string().nullable().meta({ description: 'unique within its run' }),
  parent_span_id: z.string().nullable().meta({
    description: 'a span of the same run; for a run, a span of the parent run',
  }),
  name: z.string(),
  started_at: timestamp.nullable().meta({ description: 'null if the client did not report it' }),
  recorded_at: timestamp,
  duration_ms: count.nullable(),
  status: z.enum(['ok', 'error', 'running']).nullable().meta({ description: 'null: has none' }),
  parent_run_id: z.int().nullable().optional().meta({ description: 'for runs' }),
  span_kind: spanKind.optional().meta({ description: 'for tools and spans' }),
  model: z.string().optional().meta({ description: 'for LLM calls' }),
  time_to_first_token_ms: count.nullable().optional().meta({ description: 'for LLM calls' }),
  tokens: z.number().min(0).optional().meta({ description: 'for LLM calls and runs' }),
  cost: z.number().optional().meta({ description: 'for LLM calls and runs; USD' }),
  policy_id: z.string().optional().meta({ description: 'for verdicts and incidents' }),
  phase: z.enum(phases).optional().meta({ description: 'for verdicts' }),
  action: z.enum(actions).optional().meta({ description: 'for verdicts and incidents' }),
  reason: z.string().optional().meta({
    description: 'for verdicts and incidents, cut to 200 characters',
  }),
});

/** The maximum number of items in one page. */
export const MAX_TRACE_PAGE = 5000;

export const runTrace = z.object({
  items: z.array(traceItem),
  next_cursor: z.string().nullable().meta({ description: 'null: this was the last page' }),
  runs_left_out: z.boolean().meta({
    description: 'true: more runs were started inside this one than are shown here',
  }),
});

/** The maximum number of records that a search finds. */
export const MAX_FOUND_RECORDS = 5000;

/** The records whose texts contain the searched text. */
export const foundInTrace = z.object({
  found: z
    .array(z.object({ kind: traceItemKind, id: z.string() }))
    .meta({ description: `at most ${MAX_FOUND_RECORDS}` }),
  complete: z.boolean().meta({ description: 'false: more records contain it' }),
});
