import type { Client, EarlierEvents, Report } from '../clients/client.ts';
import { clientOfScope } from '../clients/known-clients.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { memoize } from '../../lib/memoize.ts';
import { shortName } from '../read-wire.ts';
import type { ClientPart, OtelSpan } from '../span.ts';
import { announcedCalls, isAnnouncement } from './announced-calls.ts';
import type { LogRecord } from './log-record.ts';
import { hexIdOf, keyedSpanId } from '../span.ts';
import { type TurnEvent, assignToTurns, type TurnsOf } from './turns.ts';

export interface ReadLogs {
  spans: OtelSpan[];
  /** Records of events without a rule. */
  unmapped: LogRecord[];
}

/** The maximum duration. A longer one is an error, and must not change the start of a run. */
const MAX_MS = 30 * DAY_MS;

/**
 * Converts log records to spans: each call, tool and decision becomes a span of its run, so that
 * all further steps are the same for both signals.
 */
export async function spansOfLogs(
  records: readonly LogRecord[],
  turnsOf: TurnsOf,
): Promise<ReadLogs> {
  const unmapped: ReadLogs['unmapped'] = [];
  const earlier: EarlierEvents = new Map();
  const announced: LogRecord[] = [];
  const events = records
    .toSorted((a, b) => a.position - b.position)
    .flatMap((sent) => {
      const client = clientOfScope(sent.scope.name);
      const record = client?.eventOf ? { ...sent, event: client.eventOf(sent) } : sent;
      if (!client && isAnnouncement(record)) {
        announced.push(record);
        return [];
      }
      const read = client?.readEvent(record, earlier);
      if (read === undefined && record.event !== '') unmapped.push(record);
      return client && read && read !== 'ignored' ? [{ client, record, report: read }] : [];
    });
  const placed = await assignToTurns(events, turnsOf);
  const shared = sharedParts();
  return {
    spans: [...placed.map((event) => spanOf(event, shared)), ...announcedCalls(announced)],
    unmapped,
  };
}

type Shared = ReturnType<typeof sharedParts>;

/** Returns values that the spans of a request share, so that each is created once. */
function sharedParts() {
  const roots = new Map<string, string>();
  const resources = new Map<Client, (record: LogRecord['resource']) => LogRecord['resource']>();
  return {
    /**
     * Returns the id of the missing root span. A run made of logs has no root, and ends after a
     * period without new data.
     */
    rootOf(trace_id: string): string {
      let root = roots.get(trace_id);
      if (root === undefined) roots.set(trace_id, (root = hexIdOf(['root', trace_id], 16)));
      return root;
    },
    resourceOf({ resource }: LogRecord, client: Client): LogRecord['resource'] {
      let ofClient = resources.get(client);
      if (!ofClient) resources.set(client, (ofClient = memoize((own) => resourceOf(own, client))));
      return ofClient(resource);
    },
  };
}

function spanOf({ client, record, report, trace_id }: TurnEvent, shared: Shared): OtelSpan {
  const duration = Math.min(Math.round(report.duration_ms ?? 0), MAX_MS);
  const own = record.trace_id === trace_id ? record.span_id : null;
  return {
    trace_id,
    span_id:
      report.call === undefined ? ownId(record, trace_id) : keyedSpanId(trace_id, report.call),
    parent_span_id: own ?? shared.rootOf(trace_id),
    has_remote_parent: false,
    name: shortName(report.name),
    started_at: record.at - duration,
    ended_at: record.at,
    position: record.position - duration * 1000,
    error: report.error ?? null,
    attributes: report.attributes,
    events: [],
    resource: shared.resourceOf(record, client),
    scope: record.scope,
    client: partOf(report),
  };
}

/**
 * Returns an id that is the same for the same record, so that a record that is sent again is
 * ignored.
 */
const ownId = ({ event, position, attributes }: LogRecord, trace_id: string): string =>
  hexIdOf([trace_id, event, position, attributes], 16);

function partOf({ role, task, decides, tool_call }: Report): ClientPart {
  const part: ClientPart = {};
  if (role !== undefined) part.role = role;
  if (task !== undefined) part.task = task;
  if (decides !== undefined) part.decides = decides;
  if (tool_call !== undefined) part.tool_call = tool_call;
  if (role === 'prompt') part.is_payload = true;
  return part;
}

function resourceOf(
  resource: LogRecord['resource'],
  { agent, hasVersion = true }: Client,
): LogRecord['resource'] {
  const { 'service.version': version, ...rest } = resource;
  return {
    ...rest,
    'service.name': resource['service.name'] ?? agent,
    ...(hasVersion && version !== undefined && { 'service.version': version }),
  };
}
