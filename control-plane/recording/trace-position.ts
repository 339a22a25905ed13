import type { llmCall, span } from '#contract/recording.ts';
import type { z } from 'zod';
import type { Tables } from '../storage/tables.ts';

// Most clients send none of these. A column that no row of a statement has is not written: with a
// null in each row, inserting LLM calls would take an eighth longer.

const NO_POSITION = { span_id: null, parent_span_id: null, started_at: null };
const NO_DETAILS = {
  ...NO_POSITION,
  reasoning_tokens: null,
  time_to_first_token_ms: null,
  finish_reason: null,
  tool_calls: null,
};

/** Has no columns. */
const nothing = Object.freeze({});

type Columns<Row, K extends keyof Row> = { [C in K]?: Row[C] | undefined };
type TracePosition = Columns<Tables['spans'], keyof typeof NO_POSITION>;
type Details = Columns<Tables['llm_calls'], keyof typeof NO_DETAILS>;

/** Returns the position of a record in its trace, without any column if the client reports none. */
export function tracePositionOf(
  record: Pick<z.output<typeof span>, keyof typeof NO_POSITION>,
): TracePosition {
  const span_id = record.span_id || null;
  const parent_span_id = record.parent_span_id || null;
  const started_at = record.started_at ?? null;
  const isGiven = span_id !== null || parent_span_id !== null || started_at !== null;
  return isGiven ? { span_id, parent_span_id, started_at } : nothing;
}

type LlmCall = z.output<typeof llmCall>;

/**
 * Returns the position of a call and the details from the provider, without any column if there are
 * none.
 */
export function detailsOf(call: LlmCall, tools: LlmCall['tool_calls']): Details {
  const { reasoning_tokens = null, time_to_first_token_ms = null } = call;
  const finish_reason = call.finish_reason || null;
  const tool_calls = toolsText(tools);
  const position = tracePositionOf(call);
  const isGiven =
    position !== nothing ||
    reasoning_tokens !== null ||
    time_to_first_token_ms !== null ||
    finish_reason !== null ||
    tool_calls !== null;
  if (!isGiven) return nothing;
  const details = { reasoning_tokens, time_to_first_token_ms, finish_reason, tool_calls };
  return { ...NO_POSITION, ...position, ...details };
}

/** Returns the tools that a response requested, as stored. A missing id or argument is null. */
const toolsText = (tools: LlmCall['tool_calls']): string | null =>
  tools && tools.length > 0
    ? JSON.stringify(
        tools.map(({ id = null, name, arguments: value = null }) => ({
          id,
          name,
          arguments: value,
        })),
      )
    : null;

/** Gives the rows of one statement the same columns. */
export const withSamePositions = <R extends TracePosition>(rows: R[]): R[] =>
  withNulls(rows, NO_POSITION);
export const withSameDetails = <R extends Details>(rows: R[]): R[] => withNulls(rows, NO_DETAILS);

function withNulls<R extends TracePosition>(rows: R[], nulls: TracePosition): R[] {
  const isGiven = (row: R): boolean => row.span_id !== undefined;
  if (!rows.some(isGiven) || rows.every(isGiven)) return rows;
  return rows.map((row) => (isGiven(row) ? row : { ...nulls, ...row }));
}
