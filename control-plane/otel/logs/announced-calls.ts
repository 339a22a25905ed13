import { isObject } from '../messages/read-message.ts';
import { UNKNOWN_PARENT } from '../nesting.ts';
import { hasContent } from '../events.ts';
import type { OtelSpan, SpanEvent } from '../span.ts';
import type { LogRecord } from './log-record.ts';

/**
 * Returns spans for the calls that log records announce. Instrumentations that follow the GenAI
 * conventions may send the messages of a call as log records within its span, such as
 * `gen_ai.user.message`. The returned spans contain only messages; the actual span and its records
 * may arrive in any order.
 */
export function announcedCalls(records: readonly LogRecord[]): OtelSpan[] {
  const bySpan = Map.groupBy(records, ({ trace_id, span_id }) => `${trace_id} ${span_id}`);
  return [...bySpan.values()].map(([first, ...others]) => {
    const record = first as LogRecord;
    const last = others.at(-1) ?? record;
    return {
      trace_id: record.trace_id as string,
      span_id: record.span_id as string,
      parent_span_id: UNKNOWN_PARENT,
      has_remote_parent: false,
      name: 'chat',
      started_at: record.at,
      ended_at: last.at,
      position: record.position,
      error: null,
      attributes: { ...record.attributes, 'gen_ai.operation.name': 'chat' },
      events: [record, ...others].map(eventOf),
      resource: record.resource,
      scope: record.scope,
      client: {},
    };
  });
}

/** Whether the record carries messages of the span in which it was emitted. */
export const isAnnouncement = (record: LogRecord): boolean =>
  record.trace_id !== null &&
  record.span_id !== null &&
  (['message', 'choice', 'details'] as const).some((what) => hasContent(eventOf(record), what));

/** Converts a log record to the event of a span, with its body among the attributes. */
const eventOf = ({ event, at, attributes, body }: LogRecord): SpanEvent => ({
  name: event,
  at,
  attributes: { ...attributes, ...(isObject(body) ? body : body !== null && { content: body }) },
});
