import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';
import type { LlmCallDetail } from './llm-call-sources.ts';
import type { Run, SpanDetail, StepDetail } from './run-sources.ts';
import type { TraceRecord } from './trace-sources.ts';

/** The record of a trace item with its texts; null if the item itself contains everything. */
export type RecordDetail =
  | { kind: 'run'; run: Run }
  | { kind: 'llm_call'; call: LlmCallDetail }
  | { kind: 'span'; span: SpanDetail }
  | { kind: 'step'; step: StepDetail }
  | null;

/** The details of two records; null for a record that does not exist. */
export const recordPair = (
  left: TraceRecord | undefined,
  right: TraceRecord | undefined,
): Source<[RecordDetail, RecordDetail]> => ({
  key: keyFor('records', ...[left, right].map((item) => item && [item.kind, item.run_id, item.id])),
  topics: [],
  load: (signal) => Promise.all([detailOf(left, signal), detailOf(right, signal)]),
});

async function detailOf(item: TraceRecord | undefined, signal: AbortSignal): Promise<RecordDetail> {
  if (!item) return null;
  const { kind, id } = item;
  const run = String(item.run_id);
  switch (kind) {
    case 'run':
      return { kind, run: await api.runs.getRun({ params: { id: run } }, { signal }) };
    case 'llm_call':
      return { kind, call: await api.llmCalls.getLlmCall({ params: { call_id: id } }, { signal }) };
    case 'step': {
      const params = { id: run, step_id: id };
      return { kind, step: await api.runs.getStep({ params }, { signal }) };
    }
    case 'tool':
    case 'span': {
      const params = { id: run, span_id: id };
      return { kind: 'span', span: await api.runs.getSpan({ params }, { signal }) };
    }
    case 'verdict':
    case 'incident':
    case 'link':
      return null;
  }
}
