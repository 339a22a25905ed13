import { sql } from 'kysely';
import type { Recording } from '../recording/queries.ts';
import type { Tables } from '../storage/tables.ts';
import { words } from './words.ts';
import { type Node, nodeKey, type Nodes } from './nesting.ts';

type TraceRow = Tables['otel_traces'];

// Well below SQLite's 32,766 and PostgreSQL's 65,535 parameters of one statement.
const ROWS_PER_STATEMENT = 1000;

/**
 * Locks the traces with these ids, ordered by id; new ones are inserted. No other transaction
 * changes them until this one ends.
 */
export async function lockTraces(
  { trx, bulk }: Recording,
  tenant_id: string,
  traceIds: readonly string[],
  now: number,
): Promise<TraceRow[]> {
  if (traceIds.length === 0) return [];
  const ids = [...traceIds].sort();
  const row = { tenant_id, run_id: null, facts: null, state: 'plain', seen_at: now } as const;
  await bulk.merge(
    trx,
    'otel_traces',
    { key: ['tenant_id', 'trace_id'], add: [], max: ['seen_at'] },
    ids.map((trace_id) => ({ ...row, trace_id })),
  );
  return trx
    .selectFrom('otel_traces')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('trace_id', 'in', bulk.list(ids))
    .orderBy('trace_id')
    .execute();
}

/** Updates existing traces. */
export async function saveTraces({ trx }: Recording, rows: readonly TraceRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await trx
      .insertInto('otel_traces')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'trace_id']).doUpdateSet((eb) => ({
          run_id: eb.ref('excluded.run_id'),
          facts: eb.ref('excluded.facts'),
          state: eb.ref('excluded.state'),
        })),
      )
      .execute();
}

/** Inserts spans; returns for each whether it is new. */
export const insertNodes = (
  { trx, bulk }: Recording,
  tenant_id: string,
  nodes: readonly Node[],
): Promise<boolean[]> =>
  bulk.insertNew(
    trx,
    'otel_spans',
    ['tenant_id', 'trace_id', 'span_id'],
    nodes.map((node) => ({ tenant_id, ...node })),
  );

/** The stored ancestors of these spans. */
export function findAncestors(
  recording: Recording,
  tenantId: string,
  nodes: readonly Node[],
): Promise<Node[]> {
  const ids = new Set(nodes.map(({ trace_id, span_id }) => nodeKey(trace_id, span_id)));
  const parents = nodes.flatMap(({ trace_id, parent_span_id: parent }) =>
    parent === null || ids.has(nodeKey(trace_id, parent)) ? [] : [[trace_id, parent] as const],
  );
  return walk(recording, tenantId, parents, ['span_id', 'parent_span_id']);
}

/** The stored descendants of these spans. */
export const findDescendants = (
  recording: Recording,
  tenantId: string,
  nodes: readonly Node[],
): Promise<Node[]> =>
  walk(
    recording,
    tenantId,
    nodes.map(({ trace_id, span_id }) => [trace_id, span_id] as const),
    ['parent_span_id', 'span_id'],
  );

const nodeColumns = (alias: string) =>
  sql.join(
    words(`
      trace_id span_id parent_span_id kind has_text failed counted call_id position
    `).map((column) => sql.ref(`${alias}.${column}`)),
  );

/**
 * Selects spans whose `to` is one of these ids, then those whose `to` is the `from` of the spans
 * selected, and so on. `union` instead of `union all` terminates on spans that are each other's
 * parents.
 */
async function walk(
  { trx }: Recording,
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
      ) select * from found`.execute(trx);
    nodes.push(...rows);
  }
  return nodes;
}

export const byNodeKey = (nodes: readonly Node[]): Nodes =>
  new Map(nodes.map((node) => [nodeKey(node.trace_id, node.span_id), node]));
