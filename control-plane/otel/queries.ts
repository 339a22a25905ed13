import { sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';
import { type Node, nodeKey, type Nodes } from './nesting.ts';
import { nodesIn } from './span-list.ts';

type TraceRow = Tables['otel_traces'];

// This is well below the parameter limits of one statement: 32,766 in SQLite, 65,535 in PostgreSQL.
const ROWS_PER_STATEMENT = 1000;

/** Traces sorted by id. */
export interface LockedTraces {
  /** Includes traces that are not stored yet. */
  rows: TraceRow[];
  stored: ReadonlySet<string>;
}

/**
 * Locks those of these traces that are stored, so that no other transaction changes them until this
 * one ends. Two transactions that store the same new trace conflict when they save it, and the
 * second must be retried.
 */
export async function lockTraces(
  tx: Tx,
  tenant_id: string,
  traceIds: readonly string[],
  now: number,
): Promise<LockedTraces> {
  if (traceIds.length === 0) return { rows: [], stored: new Set() };
  const ids = [...traceIds].sort();
  const where = { tenantId: tenant_id, by: 'trace_id', values: ids, lock: LOCK } as const;
  const found = await tx.bulk.find('otel_traces', TRACE_COLUMNS, where);
  const byId = new Map<string, TraceRow>(found.map((row) => [row.trace_id, row]));
  const row = { tenant_id, run_id: null, facts: null, state: 'plain', spans: null } as const;
  return {
    rows: ids.map((trace_id) => byId.get(trace_id) ?? { ...row, trace_id, seen_at: now }),
    stored: new Set(byId.keys()),
  };
}

const LOCK = 'no key update';
const TRACE_COLUMNS = [
  ...(['tenant_id', 'trace_id', 'run_id', 'facts', 'state', 'seen_at', 'spans'] as const),
];
const SAVED_TRACE = {
  key: ['tenant_id', 'trace_id'],
  add: [],
  max: ['seen_at'],
  set: ['run_id', 'facts', 'state', 'spans'],
} as const;

/** Inserts new traces, and updates stored ones. */
export async function saveTraces(
  tx: Tx,
  rows: readonly TraceRow[],
  stored: ReadonlySet<string>,
): Promise<void> {
  const isStored = ({ trace_id }: TraceRow): boolean => stored.has(trace_id);
  await tx.bulk.merge('otel_traces', SAVED_TRACE, rows.filter(isStored));
  await tx.bulk.insert(
    'otel_traces',
    rows.filter((row) => !isStored(row)),
  );
}

/** Converts the spans that are kept with their traces to rows. */
export const insertKeptSpans = (
  tx: Tx,
  tenantId: string,
  traces: readonly TraceRow[],
): Promise<void> =>
  insertFirstNodes(
    tx,
    tenantId,
    traces.flatMap(({ trace_id, spans }) => (spans === null ? [] : nodesIn(trace_id, spans))),
  );

/** Inserts spans; returns for each whether it is new. */
export const insertNodes = (
  tx: Tx,
  tenant_id: string,
  nodes: readonly Node[],
): Promise<boolean[]> =>
  tx.bulk.insertNew(
    'otel_spans',
    ['tenant_id', 'trace_id', 'span_id'],
    nodes.map((node) => ({ tenant_id, ...node })),
  );

/** Inserts distinct spans of traces without any stored span. */
export const insertFirstNodes = (
  tx: Tx,
  tenant_id: string,
  nodes: readonly Node[],
): Promise<void> =>
  tx.bulk.insert(
    'otel_spans',
    nodes.map((node) => ({ tenant_id, ...node })),
  );

/** Finds the stored spans with these ids. */
export async function findNodes(
  tx: Tx,
  tenantId: string,
  ids: readonly { trace_id: string; span_id: string }[],
): Promise<Nodes> {
  if (ids.length === 0) return new Map();
  const traces = [...new Set(ids.map(({ trace_id }) => trace_id))];
  const rows = await tx.db
    .selectFrom('otel_spans')
    .select(NODE_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', valueList(traces))
    .where('span_id', 'in', valueList(ids.map(({ span_id }) => span_id)))
    .execute();
  return byNodeKey(rows);
}

/** Deletes spans by their ids. */
export async function deleteNodes(tx: Tx, tenantId: string, nodes: readonly Node[]): Promise<void> {
  for (const { trace_id, span_id } of nodes)
    await tx.db
      .deleteFrom('otel_spans')
      .where('tenant_id', '=', tenantId)
      .where('trace_id', '=', trace_id)
      .where('span_id', '=', span_id)
      .execute();
}

/** Finds the stored ancestors of these spans. */
export function findAncestors(tx: Tx, tenantId: string, nodes: readonly Node[]): Promise<Node[]> {
  const ids = new Set(nodes.map(({ trace_id, span_id }) => nodeKey(trace_id, span_id)));
  const parents = nodes.flatMap(({ trace_id, parent_span_id: parent }) =>
    parent === null || ids.has(nodeKey(trace_id, parent)) ? [] : [[trace_id, parent] as const],
  );
  return walk(tx, tenantId, parents, ['span_id', 'parent_span_id']);
}

/** Finds the stored descendants of these spans. */
export const findDescendants = (
  tx: Tx,
  tenantId: string,
  nodes: readonly Node[],
): Promise<Node[]> =>
  walk(
    tx,
    tenantId,
    nodes.map(({ trace_id, span_id }) => [trace_id, span_id] as const),
    ['parent_span_id', 'span_id'],
  );

/**
 * Finds the stored calls that may be other reports of these: siblings with the same key, of the
 * time of all these calls.
 */
export async function findSiblings(
  tx: Tx,
  tenantId: string,
  calls: readonly Node[],
): Promise<Node[]> {
  if (calls.length === 0) return [];
  const distinct = (column: 'trace_id' | 'parent_span_id' | 'call_key') =>
    valueList([...new Set(calls.map((call) => call[column] as string))]);
  const startsBefore = Math.max(...calls.map(({ ended_at }) => ((ended_at ?? 0) + 1) * 1000));
  const endsAfter = Math.min(...calls.map(({ position }) => Math.floor(position / 1000)));
  return tx.db
    .selectFrom('otel_spans')
    .select(NODE_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('parent_span_id', 'in', distinct('parent_span_id'))
    .where('trace_id', 'in', distinct('trace_id'))
    .where('call_key', 'in', distinct('call_key'))
    .where('position', '<', startsBefore)
    .where('ended_at', '>=', endsAfter)
    .execute();
}

const NODE_COLUMNS = [
  ...(['trace_id', 'span_id', 'parent_span_id', 'kind', 'has_text'] as const),
  ...(['failed', 'counted', 'call_id', 'position'] as const),
  ...(['call_key', 'scope', 'response_id', 'ended_at'] as const),
];

const nodeColumns = (alias: string) =>
  sql.join(NODE_COLUMNS.map((column) => sql.ref(`${alias}.${column}`)));

/**
 * Selects the spans whose `to` is one of these ids, then those whose `to` is the `from` of the
 * selected spans, and so on. `union` instead of `union all` makes this terminate for spans that are
 * each other's parents.
 */
async function walk(
  tx: Tx,
  tenantId: string,
  start: readonly (readonly [string, string])[],
  [to, from]: [string, string],
): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let at = 0; at < start.length; at += ROWS_PER_STATEMENT) {
    const pairs = start.slice(at, at + ROWS_PER_STATEMENT).map(([t, s]) => sql`(${t}, ${s})`);
    const { rows } = await sql<Node>`
      with recursive start (trace_id, id) as (values ${sql.join(pairs)}), found as (
        select ${nodeColumns('s')} from start join otel_spans s on s.tenant_id = ${tenantId}
          and s.trace_id = start.trace_id and ${sql.ref(`s.${to}`)} = start.id
        union
        select ${nodeColumns('s')} from found join otel_spans s on s.tenant_id = ${tenantId}
          and s.trace_id = found.trace_id and ${sql.ref(`s.${to}`)} = ${sql.ref(`found.${from}`)}
      ) select * from found`.execute(tx.db);
    nodes.push(...rows);
  }
  return nodes;
}

export const byNodeKey = (nodes: readonly Node[]): Nodes =>
  new Map(nodes.map((node) => [nodeKey(node.trace_id, node.span_id), node]));
