import type { Client, Report } from '../clients/client.ts';
import type { LogRecord } from './log-record.ts';
import { hexIdOf } from '../span.ts';

/** The contents of a log record, and the client that wrote it. */
export interface ReportedEvent {
  client: Client;
  record: LogRecord;
  report: Report;
}

/** A record with the trace whose run it belongs to. */
export interface TurnEvent extends ReportedEvent {
  trace_id: string;
}

/** A turn of a session: a prompt and the work that it started. */
export interface Turn {
  session: string;
  trace_id: string;
  started_at: number;
}

/** Finds the recorded turns of these sessions. */
export type TurnsOf = (sessions: readonly string[]) => Promise<readonly Turn[]>;

/**
 * Finds the run of each record. It is the trace of the span in which the record was emitted, if the
 * client's records follow traces. Otherwise it is the turn that the record names, or else the last
 * prompt of its session before the record. Records before the first prompt of a session belong to
 * that prompt.
 */
export async function assignToTurns(
  records: readonly ReportedEvent[],
  turnsOf: TurnsOf,
): Promise<TurnEvent[]> {
  const traces = tracesOfTurns(records);
  const named = records.map((event) => ({ ...event, trace_id: traceOf(event, traces) }));
  const open = named.filter(
    ({ trace_id, ...event }) => trace_id === undefined || hasLostTrace(event),
  );
  const sessions = new Set(open.flatMap(({ client, record }) => client.sessionOf(record) ?? []));
  const stored = sessions.size > 0 ? await turnsOf([...sessions]) : [];
  const turns = Map.groupBy(
    [...stored, ...begun(named)].toSorted((a, b) => a.started_at - b.started_at),
    ({ session }) => session,
  );
  return named.flatMap(({ trace_id, ...event }) => {
    if (trace_id !== undefined && !hasLostTrace(event)) return [{ ...event, trace_id }];
    if (trace_id === undefined && event.report.isNote) return [];
    const turn = turnAt(event, turns);
    const found = trace_id ?? turn ?? ownTurn(event);
    const isElsewhere = turn !== undefined && !isSynthetic(turn) && isSynthetic(found);
    return [{ ...event, trace_id: isElsewhere ? turn : found }];
  });
}

/**
 * Whether a record has lost its trace. A client with traces may emit a record outside of any span.
 * If the other records of its turn are in another request, only the time identifies their trace.
 */
const hasLostTrace = ({ client, record, report }: ReportedEvent): boolean =>
  client.followsTraces && record.trace_id === null && report.role !== 'prompt';

/** Returns the traces of the turns that have both a name and a trace. */
function tracesOfTurns(events: readonly ReportedEvent[]): Map<string, string> {
  const traces = new Map<string, string>();
  for (const event of events) {
    const { client, record, report } = event;
    if (client.followsTraces && report.turn !== undefined && record.trace_id !== null)
      traces.set(turnKey(event), record.trace_id);
  }
  return traces;
}

/**
 * Returns the trace of a record. A trace that is created for a turn is added to `traces`, so that
 * other records of the turn get it too.
 */
function traceOf(event: ReportedEvent, traces: Map<string, string>): string | undefined {
  const { client, record, report } = event;
  if (client.followsTraces && record.trace_id !== null) return record.trace_id;
  if (report.turn !== undefined) {
    const turn = turnKey(event);
    let trace = traces.get(turn);
    if (trace === undefined) traces.set(turn, (trace = syntheticTraceId([turn])));
    return trace;
  }
  if (report.role !== 'prompt') return undefined;
  return record.trace_id ?? syntheticTraceId([turnKey(event), record.position]);
}

/**
 * The first digits of the trace ids that we create, which real ones do not share because they are
 * random.
 */
const SYNTHETIC_PREFIX = '60a10600';
const syntheticTraceId = (parts: readonly unknown[]): string =>
  SYNTHETIC_PREFIX + hexIdOf(parts, 32).slice(SYNTHETIC_PREFIX.length);
const isSynthetic = (trace_id: string): boolean => trace_id.startsWith(SYNTHETIC_PREFIX);

const turnKey = ({ client, record, report }: ReportedEvent): string =>
  JSON.stringify([client.agent, client.sessionOf(record), report.turn]);

const begun = (named: readonly (ReportedEvent & { trace_id: string | undefined })[]): Turn[] =>
  named.flatMap(({ client, record, report, trace_id }) => {
    const session = client.sessionOf(record);
    if (report.role !== 'prompt' || session === undefined || trace_id === undefined) return [];
    return [{ session, trace_id, started_at: record.at }];
  });

function turnAt(
  { client, record }: ReportedEvent,
  turns: ReadonlyMap<string, readonly Turn[]>,
): string | undefined {
  const known = turns.get(client.sessionOf(record) ?? '') ?? [];
  const turn = known.findLast(({ started_at }) => started_at <= record.at) ?? known[0];
  return turn?.trace_id;
}

/** Returns the run of a session without known prompts. */
const ownTurn = ({ client, record }: ReportedEvent): string =>
  syntheticTraceId([client.agent, client.sessionOf(record)]);
