import { type Attributes, readAttributes } from '../attributes.ts';
import type { WireLogRecord, WireLogsRequest } from '../protocol/wire.ts';
import { checkedTime, microseconds, readId, readScope, shortName } from '../read-wire.ts';
import type { RejectedSpan, Scope } from '../span.ts';
import type { LogRecord } from './log-record.ts';

/** Returns the valid records of a request, and the rejected ones with the reason. */
export function readLogs(
  request: WireLogsRequest,
  now: number,
): { records: LogRecord[]; rejected: RejectedSpan[] } {
  const records: LogRecord[] = [];
  const rejected: RejectedSpan[] = [];
  for (const { resource, scopeLogs } of request.resourceLogs ?? []) {
    const attributes = readAttributes(resource?.attributes);
    for (const { scope: wireScope, logRecords } of scopeLogs ?? []) {
      const scope = readScope(wireScope);
      for (const wire of logRecords ?? []) {
        const record =
          'malformed' in wire
            ? { reason: wire.malformed, scope, trace_id: readId(wire.traceId, 32) }
            : readRecord(wire, attributes, scope, now);
        if ('reason' in record) rejected.push(record);
        else records.push(record);
      }
    }
  }
  return { records, rejected };
}

function readRecord(
  wire: WireLogRecord,
  resource: Attributes,
  scope: Scope,
  now: number,
): LogRecord | RejectedSpan {
  const attributes = readAttributes(wire.attributes);
  const time = timeOf(wire, attributes);
  const at = Math.floor(time / 1000);
  const reason = checkedTime({ started_at: at, ended_at: at }, now);
  const trace_id = readId(wire.traceId, 32);
  if (reason !== undefined) return { reason, scope, trace_id };
  return {
    trace_id,
    span_id: trace_id && readId(wire.spanId, 16),
    at,
    position: time + sequenceOf(attributes),
    event: eventOf(wire, attributes),
    body: wire.body ?? null,
    attributes,
    resource,
    scope,
  };
}

/**
 * Returns the time of a record in microseconds. In Codex's records, only an attribute has the time.
 */
function timeOf(wire: WireLogRecord, attributes: Attributes): number {
  const time = microseconds(wire.timeUnixNano);
  if (time > 0) return time;
  const sent = attributes['event.timestamp'];
  const parsed = typeof sent === 'string' ? Date.parse(sent) * 1000 : NaN;
  return Number.isFinite(parsed) ? parsed : microseconds(wire.observedTimeUnixNano);
}

/** Returns a number that orders events of the same millisecond. */
function sequenceOf(attributes: Attributes): number {
  const sequence = attributes['event.sequence'];
  return typeof sequence === 'number' && sequence >= 0 ? Math.floor(sequence) % 1000 : 0;
}

/**
 * Rust's `tracing` names an event after its place in the source unless the program names it:
 * `event src/main.rs:12`.
 */
const SOURCE_LOCATION = /^event \S.*:\d+$/;

/**
 * Returns the name of an event. The attribute takes precedence, because the records of Codex have a
 * source location as their name. A record with only that is a log line.
 */
function eventOf(wire: WireLogRecord, attributes: Attributes): string {
  const sent = attributes['event.name'];
  const name = shortName(typeof sent === 'string' && sent !== '' ? sent : wire.eventName);
  return SOURCE_LOCATION.test(name) ? '' : name;
}
