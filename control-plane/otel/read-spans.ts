import { type Attributes, readAttributes, storable } from './attributes.ts';
import type { WireEvent, WireRequest, WireSpan } from './protocol/wire.ts';
import { hasContent } from './events.ts';
import { checkedTime, microseconds, readId, readScope, shortName } from './read-wire.ts';
import type { OtelSpan, RejectedSpan, Scope, SpanEvent } from './span.ts';

// Bits of `flags` in OTLP: the first says that the second is set, the second that the parent is
// remote.
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** Returns the valid spans of a request, and the rejected ones with the reason. */
export function readSpans(
  request: WireRequest,
  now: number,
): { spans: OtelSpan[]; rejected: RejectedSpan[] } {
  const spans: OtelSpan[] = [];
  const rejected: RejectedSpan[] = [];
  for (const { resource, scopeSpans } of request.resourceSpans ?? []) {
    const attributes = readAttributes(resource?.attributes);
    for (const { scope: wireScope, spans: wireSpans } of scopeSpans ?? []) {
      const scope = readScope(wireScope);
      for (const wire of wireSpans ?? []) {
        const span =
          'malformed' in wire
            ? { reason: wire.malformed, scope, trace_id: readId(wire.traceId, 32) }
            : readSpan(wire, attributes, scope, now);
        if ('reason' in span) rejected.push(span);
        else spans.push(span);
      }
    }
  }
  return { spans, rejected };
}

function readSpan(
  wire: WireSpan,
  resource: Attributes,
  scope: Scope,
  now: number,
): OtelSpan | RejectedSpan {
  const trace_id = readId(wire.traceId, 32);
  const span_id = readId(wire.spanId, 16);
  const started = microseconds(wire.startTimeUnixNano);
  const started_at = Math.floor(started / 1000);
  // A span that ends before its start, or has no end, gets a duration of 0.
  const ended_at = Math.max(started_at, Math.floor(microseconds(wire.endTimeUnixNano) / 1000));
  if (!trace_id) return { reason: 'the trace id is not 16 bytes, or is all zero', scope, trace_id };
  if (!span_id) return { reason: 'the span id is not 8 bytes, or is all zero', scope, trace_id };
  const reason = checkedTime({ started_at, ended_at }, now);
  if (reason !== undefined) return { reason, scope, trace_id };
  const flags = wire.flags ?? 0;
  const events = (wire.events ?? []).map(readEvent);
  const own = readAttributes(wire.attributes);
  return {
    trace_id,
    span_id,
    parent_span_id: readId(wire.parentSpanId, 16),
    has_remote_parent: (flags & HAS_IS_REMOTE) !== 0 && (flags & IS_REMOTE) !== 0,
    name: shortName(wire.name) || 'unnamed',
    started_at,
    ended_at,
    position: started,
    error: readError(wire.status, events, own),
    attributes: own,
    events,
    resource,
    scope,
  };
}

const readEvent = (event: WireEvent): SpanEvent => ({
  name: shortName(event.name),
  at: Math.floor(microseconds(event.timeUnixNano) / 1000),
  attributes: readAttributes(event.attributes),
});

/** Status codes, as numbers and as the names in protobuf's JSON. */
const OK: readonly unknown[] = [1, 'STATUS_CODE_OK'];
const ERROR: readonly unknown[] = [2, 'STATUS_CODE_ERROR'];

/**
 * Returns the error of a span. If its status is OK, recorded exceptions were handled and are
 * ignored.
 */
function readError(
  status: WireSpan['status'],
  events: readonly SpanEvent[],
  attributes: Attributes,
): string | null {
  const exception = events.findLast((event) => hasContent(event, 'exception'))?.attributes;
  const type = attributes['error.type'];
  const hasError = exception !== undefined || (typeof type === 'string' && type !== '');
  // Langfuse's clients may leave the status unset.
  const isLangfuseError = attributes['langfuse.observation.level'] === 'ERROR';
  const failed =
    ERROR.includes(status?.code) || (!OK.includes(status?.code) && (hasError || isLangfuseError));
  if (!failed) return null;
  const message = [
    status?.message,
    exception?.['exception.message'],
    exception?.['exception.type'],
    attributes['langfuse.observation.status_message'],
    type,
  ].find((text) => typeof text === 'string' && text !== '');
  return typeof message === 'string' ? storable(message) : 'failed';
}
