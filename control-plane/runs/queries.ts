import { listCallsByIds } from '../llm-calls/queries.ts';
import { countOf, countWithin } from '../storage/bounded-count.ts';
import { jsonUnlessLong, truncatedText, isTruncated } from '../storage/list-columns.ts';
import type { Db } from '../storage/open.ts';
import { errorCount } from './list-filter-queries.ts';

interface Paging {
  limit: number;
  offset: number;
}

export function findRunDetail(db: Db, tenantId: string, id: number) {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function countErrors(db: Db, { tenantId, runId }: OfRun): Promise<number> {
  const row = await db
    .selectFrom('runs')
    .select(errorCount.as('count'))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', runId)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Finds the device that captured a run, or whose coding agent reported it. */
export async function findRunDevice(db: Db, tenantId: string, id: string | null) {
  if (id === null) return null;
  const device = await db
    .selectFrom('devices')
    .select('hostname')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return { id, hostname: device?.hostname ?? id };
}

/** Finds the device and the capture of a captured run; null for a run that a client reported. */
export async function findCapturedOn(
  db: Db,
  tenantId: string,
  { device_id, capture_id }: { device_id: string | null; capture_id: string | null },
) {
  if (device_id === null || capture_id === null) return null;
  const device = await findRunDevice(db, tenantId, device_id);
  const capture = await db
    .selectFrom('captures')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', capture_id)
    .executeTakeFirst();
  return { device_id, hostname: device?.hostname ?? device_id, capture_id: capture?.id ?? null };
}

export interface OfRun {
  tenantId: string;
  runId: number;
}

/** Lists calls by their time, because clients may report calls late and out of order. */
export async function listRunLlmCalls(db: Db, run: OfRun, { limit, offset }: Paging) {
  const calls = db
    .selectFrom('llm_calls')
    .where('tenant_id', '=', run.tenantId)
    .where('run_id', '=', run.runId);
  // The ids come from an index, so that only these rows are read in full.
  const page = await calls
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const ids = page.map(({ id }) => id);
  const rows = await listCallsByIds(db, run.tenantId, ids);
  return { rows, count: await countOf(calls) };
}

/** Lists steps without long outputs, because a run may have a hundred of ten megabytes each. */
export async function listRunSteps(db: Db, run: OfRun, { limit, offset }: Paging) {
  const steps = db
    .selectFrom('steps')
    .where('tenant_id', '=', run.tenantId)
    .where('run_id', '=', run.runId);
  const rows = await steps
    .select(['id', 'step_name', 'span_id', 'parent_span_id', 'started_at', 'created_at'])
    .select([jsonUnlessLong('output').as('output'), isTruncated('output').as('truncated')])
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(steps) };
}

/**
 * The maximum total size of contents in a list of spans, since a hundred spans could have three of
 * 10 KB each.
 */
const MAX_CONTENT_BYTES = 1024 * 1024;

/** Lists spans with their short contents, up to the size limit of a response. */
export async function listRunSpans(db: Db, run: OfRun, { limit, offset }: Paging) {
  const spans = db
    .selectFrom('spans')
    .where('tenant_id', '=', run.tenantId)
    .where('run_id', '=', run.runId);
  const page = await spans
    .select(['id', 'name', 'kind', 'status', 'span_id', 'parent_span_id', 'started_at'])
    .select(['duration_ms', 'position', 'created_at'])
    .select([
      jsonUnlessLong('attributes').as('attributes'),
      jsonUnlessLong('input_data').as('input_data'),
      jsonUnlessLong('output_data').as('output_data'),
      isTruncated('attributes', 'input_data', 'output_data').as('truncated'),
    ])
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const sizes = page.map(contentBytes);
  const fitting = countWithin(sizes, MAX_CONTENT_BYTES);
  const bare = page.slice(fitting).map((span, index) => ({
    ...span,
    ...NO_CONTENT,
    truncated: sizes[fitting + index] ? 1 : span.truncated,
  }));
  return { rows: [...page.slice(0, fitting), ...bare], count: await countOf(spans) };
}

const NO_CONTENT = { attributes: null, input_data: null, output_data: null };

const contentBytes = (span: Record<keyof typeof NO_CONTENT, string | null>): number =>
  [span.attributes, span.input_data, span.output_data].reduce(
    (sum, text) => sum + Buffer.byteLength(text ?? ''),
    0,
  );

export async function listRunScores(db: Db, run: OfRun, { limit, offset }: Paging) {
  const scores = db
    .selectFrom('scores')
    .where('tenant_id', '=', run.tenantId)
    .where('run_id', '=', run.runId);
  const rows = await scores
    .select(['id', 'name', 'data_type', 'source', 'numeric_value', 'string_value', 'created_at'])
    .select([truncatedText('comment').as('comment'), isTruncated('comment').as('truncated')])
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(scores) };
}

export function findStep(db: Db, { tenantId, runId }: OfRun, id: number) {
  return db
    .selectFrom('steps')
    .select(['id', 'step_name', 'output', 'span_id', 'parent_span_id', 'started_at', 'created_at'])
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findSpan(db: Db, { tenantId, runId }: OfRun, id: number) {
  return db
    .selectFrom('spans')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .where('id', '=', id)
    .executeTakeFirst();
}
