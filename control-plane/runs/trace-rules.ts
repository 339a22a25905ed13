import { ApiError } from '#contract/errors.ts';
import type { runTrace } from '#contract/run-trace.ts';
import type { z } from 'zod';
import { roundedCost } from '../llm-calls/rules.ts';
import type { Tables } from '../storage/tables.ts';

export type Trace = z.output<typeof runTrace>;
export type TraceItem = Trace['items'][number];

/** The tables of a trace, in the order in which a trace is paged. */
export const traceParts = [
  'runs',
  'llm_calls',
  'spans',
  'steps',
  'evaluations',
  'incidents',
  'links',
] as const;
export type TracePart = (typeof traceParts)[number];

/** The end of a page, which is the sort key of its last row. */
export interface Cursor {
  part: TracePart;
  key: readonly (string | number)[];
}

/** The types of the columns in the sort key of each part: `s` for texts, `n` for numbers. */
const KEYS: Record<TracePart, string> = {
  runs: 'n',
  llm_calls: 'nnn',
  spans: 'nnn',
  steps: 'nn',
  evaluations: 'ns',
  incidents: 'ns',
  links: 'ss',
};

export const cursorText = ({ part, key }: Cursor): string =>
  Buffer.from(JSON.stringify([part, ...key])).toString('base64url');

/** @throws ApiError `validation_error` */
export function readCursor(text: string): Cursor {
  const [part, ...key] = parsed(text);
  const known = traceParts.find((name) => name === part);
  const types = key.map((value) => (Number.isSafeInteger(value) ? 'n' : typeof value).charAt(0));
  if (!known || types.join('') !== KEYS[known])
    throw new ApiError('validation_error', 'cursor: expected `next_cursor` of the page before');
  return { part: known, key: key as (string | number)[] };
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

type Place = 'run_id' | 'span_id' | 'parent_span_id' | 'started_at' | 'created_at';

export const runItem = (
  run: Pick<
    Tables['runs'],
    'agent_name' | 'parent_run_id' | 'parent_span_id' | 'status' | 'started_at' | 'completed_at'
  > & { id: number; tokens: number; cost: number },
): TraceItem => ({
  kind: 'run',
  id: String(run.id),
  run_id: run.id,
  span_id: null,
  parent_span_id: run.parent_span_id,
  parent_run_id: run.parent_run_id,
  name: run.agent_name,
  started_at: run.started_at,
  recorded_at: run.started_at,
  duration_ms: run.completed_at === null ? null : run.completed_at - run.started_at,
  status: run.status === 'success' ? 'ok' : run.status,
  tokens: run.tokens,
  cost: roundedCost(run.cost),
});

/**
 * Returns the item of a call. A call is recorded at its end, so its start follows from its
 * duration.
 */
export const callItem = (
  call: Pick<
    Tables['llm_calls'],
    Place | 'duration_ms' | 'time_to_first_token_ms' | 'model' | 'total_tokens' | 'cost'
  > & { id: number },
): TraceItem => ({
  kind: 'llm_call',
  ...tracePositionOf(call),
  name: call.model,
  started_at:
    call.started_at ?? (call.duration_ms === null ? null : call.created_at - call.duration_ms),
  duration_ms: call.duration_ms,
  status: 'ok',
  model: call.model,
  time_to_first_token_ms: call.time_to_first_token_ms,
  tokens: call.total_tokens,
  cost: roundedCost(call.cost),
});

export const spanItem = (
  span: Pick<Tables['spans'], Place | 'name' | 'kind' | 'status' | 'duration_ms'> & { id: number },
): TraceItem => ({
  kind: span.kind === 'tool' ? 'tool' : 'span',
  ...tracePositionOf(span),
  name: span.name,
  started_at: span.started_at,
  duration_ms: span.duration_ms,
  status: span.status,
  span_kind: span.kind,
});

export const stepItem = (
  step: Pick<Tables['steps'], Place | 'step_name'> & { id: number },
): TraceItem => ({
  kind: 'step',
  ...tracePositionOf(step),
  name: step.step_name,
  started_at: step.started_at,
  duration_ms: null,
  status: null,
});

const tracePositionOf = (
  row: Pick<Tables['steps'], Exclude<Place, 'started_at'>> & { id: number },
) => ({
  id: String(row.id),
  run_id: row.run_id,
  span_id: row.span_id,
  parent_span_id: row.parent_span_id,
  recorded_at: row.created_at,
});

type Finding = Pick<
  Tables['evaluations'],
  'id' | 'run_id' | 'policy_id' | 'policy_name' | 'action' | 'reason' | 'created_at'
>;

export const verdictItem = ({
  phase,
  ...finding
}: Finding & Pick<Tables['evaluations'], 'phase'>): TraceItem => ({
  kind: 'verdict',
  ...findingOf(finding),
  phase,
});

export const incidentItem = (finding: Finding): TraceItem => ({
  kind: 'incident',
  ...findingOf(finding),
});

const findingOf = ({ id, run_id, policy_id, policy_name, created_at, ...details }: Finding) => ({
  id,
  run_id,
  span_id: null,
  parent_span_id: null,
  name: policy_name,
  started_at: created_at,
  recorded_at: created_at,
  duration_ms: null,
  status: null,
  policy_id,
  ...details,
});

/**
 * Returns the item of a link. Positions are the start times of OpenTelemetry's spans, in
 * microseconds since 1970.
 */
export const linkItem = (
  node: Pick<Tables['otel_spans'], 'span_id' | 'parent_span_id' | 'position'> & { run_id: number },
): TraceItem => ({
  kind: 'link',
  id: node.span_id,
  run_id: node.run_id,
  span_id: node.span_id,
  parent_span_id: node.parent_span_id,
  name: '',
  started_at: Math.floor(node.position / 1000),
  recorded_at: Math.floor(node.position / 1000),
  duration_ms: null,
  status: null,
});
