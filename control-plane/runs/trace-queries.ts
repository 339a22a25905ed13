import { type RawBuilder, type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';
import { firstCharacters } from '../storage/list-columns.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { OfRun } from './queries.ts';
import {
  callItem,
  type Cursor,
  incidentItem,
  linkItem,
  runItem,
  spanItem,
  stepItem,
  type TraceItem,
  type TracePart,
  traceParts,
  verdictItem,
} from './trace-rules.ts';

/** The maximum number of runs in one trace, and of levels of runs started inside each other. */
const MAX_RUNS = 500;
const MAX_DEPTH = 20;

export interface RunTree {
  /** The ids in ascending order, including the run itself. */
  ids: readonly number[];
  /** Whether there are more runs. */
  cut: boolean;
}

/** Finds the run and those started inside it, level by level. */
export async function findRunTree(db: Db, { tenantId, runId }: OfRun): Promise<RunTree> {
  const ids = new Set([runId]);
  let level = [runId];
  for (let depth = 0; level.length > 0; depth += 1) {
    const rows = await db
      .selectFrom('runs')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('parent_run_id', 'in', level)
      .orderBy('parent_run_id')
      .orderBy('id')
      .limit(MAX_RUNS + 1 - ids.size)
      .execute();
    level = rows.map(({ id }) => id).filter((id) => !ids.has(id));
    const cut = level.length > 0 && (depth === MAX_DEPTH || ids.size + level.length > MAX_RUNS);
    if (depth < MAX_DEPTH) for (const id of level.slice(0, MAX_RUNS - ids.size)) ids.add(id);
    if (cut) return { ids: ascending(ids), cut };
  }
  return { ids: ascending(ids), cut: false };
}

const ascending = (ids: ReadonlySet<number>): number[] => [...ids].sort((a, b) => a - b);

export interface TraceSlice {
  tenantId: string;
  runIds: readonly number[];
  after: Cursor | undefined;
  limit: number;
}

/** Returns the items after the cursor, and the cursor of the next page if there are more. */
export async function listTraceItems(
  db: Db,
  { tenantId, runIds, after, limit }: TraceSlice,
): Promise<{ items: TraceItem[]; next: Cursor | null }> {
  const items: TraceItem[] = [];
  let next: Cursor | null = null;
  const from = after ? traceParts.indexOf(after.part) : 0;
  for (const part of traceParts.slice(from)) {
    const key = part === after?.part ? after.key : undefined;
    // One additional row shows whether there is a next page.
    const rows = await readers[part](db, {
      tenantId,
      runIds,
      key,
      limit: limit - items.length + 1,
    });
    for (const row of rows) {
      if (items.length === limit) return { items, next };
      items.push(row.item);
      next = { part, key: row.key };
    }
  }
  return { items, next: null };
}

interface Slice {
  tenantId: string;
  runIds: readonly number[];
  key: readonly (string | number)[] | undefined;
  limit: number;
}

interface Row {
  item: TraceItem;
  key: readonly (string | number)[];
}

type Reader = (db: Db, slice: Slice) => Promise<Row[]>;

/** Selects the rows after the key, in the order of the key. */
function sliced<T extends keyof Tables, O>(
  rows: SelectQueryBuilder<Tables, T, O>,
  columns: readonly string[],
  { key, limit }: Slice,
): SelectQueryBuilder<Tables, T, O> {
  let slice = key ? rows.where(isAfter(columns, key)) : rows;
  for (const column of columns)
    slice = slice.orderBy(column as ReferenceExpression<Tables, T> & string);
  return slice.limit(limit);
}

const isAfter = (
  columns: readonly string[],
  key: readonly (string | number)[],
): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(key)})`;

const readers: Record<TracePart, Reader> = {
  async runs(db, slice) {
    const rows = db
      .selectFrom('runs')
      .select(['id', 'agent_name', 'parent_run_id', 'parent_span_id', 'status'])
      .select(['started_at', 'completed_at', 'tokens', 'cost'])
      .where('tenant_id', '=', slice.tenantId)
      .where('id', 'in', slice.runIds);
    const found = await sliced(rows, ['id'], slice).execute();
    return found.map((row) => ({ item: runItem(row), key: [row.id] }));
  },

  async llm_calls(db, slice) {
    const rows = db
      .selectFrom('llm_calls')
      .select(['id', 'run_id', 'span_id', 'parent_span_id', 'started_at', 'created_at'])
      .select(['duration_ms', 'time_to_first_token_ms', 'model', 'total_tokens', 'cost'])
      .where('tenant_id', '=', slice.tenantId)
      .where('run_id', 'in', slice.runIds);
    const found = await sliced(rows, ['run_id', 'created_at', 'id'], slice).execute();
    return found.map((row) => ({
      item: callItem(row),
      key: [row.run_id, row.created_at, row.id],
    }));
  },

  async spans(db, slice) {
    const rows = db
      .selectFrom('spans')
      .select(['id', 'run_id', 'span_id', 'parent_span_id', 'started_at', 'created_at'])
      .select(['name', 'kind', 'status', 'duration_ms', 'position'])
      .where('tenant_id', '=', slice.tenantId)
      .where('run_id', 'in', slice.runIds);
    const found = await sliced(rows, ['run_id', 'position', 'id'], slice).execute();
    return found.map((row) => ({ item: spanItem(row), key: [row.run_id, row.position, row.id] }));
  },

  async steps(db, slice) {
    const rows = db
      .selectFrom('steps')
      .select(['id', 'run_id', 'span_id', 'parent_span_id', 'started_at', 'created_at'])
      .select('step_name')
      .where('tenant_id', '=', slice.tenantId)
      .where('run_id', 'in', slice.runIds);
    const found = await sliced(rows, ['run_id', 'id'], slice).execute();
    return found.map((row) => ({ item: stepItem(row), key: [row.run_id, row.id] }));
  },

  async evaluations(db, slice) {
    const rows = db
      .selectFrom('evaluations')
      .select(['id', 'run_id', 'policy_id', 'policy_name', 'phase', 'action', 'created_at'])
      .select(firstCharacters('reason').as('reason'))
      .where('tenant_id', '=', slice.tenantId)
      .where('run_id', 'in', slice.runIds);
    const found = await sliced(rows, ['run_id', 'id'], slice).execute();
    return found.map((row) => ({ item: verdictItem(row), key: [row.run_id, row.id] }));
  },

  async incidents(db, slice) {
    const rows = db
      .selectFrom('incidents')
      .select(['id', 'run_id', 'policy_id', 'policy_name', 'action', 'created_at'])
      .select(firstCharacters('reason').as('reason'))
      .where('tenant_id', '=', slice.tenantId)
      .where('run_id', 'in', slice.runIds);
    const found = await sliced(rows, ['run_id', 'id'], slice).execute();
    return found.flatMap(({ run_id, ...row }) =>
      run_id === null ? [] : { item: incidentItem({ ...row, run_id }), key: [run_id, row.id] },
    );
  },

  async links(db, slice) {
    const rows = db
      .selectFrom('runs')
      .innerJoin('otel_traces', (join) =>
        join
          .onRef('otel_traces.tenant_id', '=', 'runs.tenant_id')
          .onRef('otel_traces.trace_id', '=', 'runs.trace_id')
          .onRef('otel_traces.run_id', '=', 'runs.id'),
      )
      .innerJoin('otel_spans', (join) =>
        join
          .onRef('otel_spans.tenant_id', '=', 'otel_traces.tenant_id')
          .onRef('otel_spans.trace_id', '=', 'otel_traces.trace_id'),
      )
      .select(['runs.id as run_id', 'otel_spans.trace_id', 'otel_spans.span_id'])
      .select(['otel_spans.parent_span_id', 'otel_spans.position'])
      .where('runs.tenant_id', '=', slice.tenantId)
      .where('runs.id', 'in', slice.runIds)
      .where('otel_spans.kind', '=', 'plain')
      // A span without children does not lead to any record.
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('otel_spans as below')
            .select('below.span_id')
            .whereRef('below.tenant_id', '=', 'otel_spans.tenant_id')
            .whereRef('below.parent_span_id', '=', 'otel_spans.span_id')
            .whereRef('below.trace_id', '=', 'otel_spans.trace_id'),
        ),
      );
    const found = await sliced(
      rows,
      ['otel_spans.trace_id', 'otel_spans.span_id'],
      slice,
    ).execute();
    return found.map((row) => ({ item: linkItem(row), key: [row.trace_id, row.span_id] }));
  },
};
