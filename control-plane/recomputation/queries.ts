import { sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

const priced = [
  'id',
  'run_id',
  'model',
  'provider',
  'tokens_in',
  'tokens_out',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost',
  'cost_source',
  'prompt_hash',
  'created_at',
] as const;

export type StoredCall = Pick<Tables['llm_calls'], Exclude<(typeof priced)[number], 'id'>> & {
  id: number;
};

/** A position in the tenant's calls. */
export interface Position {
  created_at: number;
  id: number;
}

/** Lists the next calls made before `until`, ordered by time. */
export function listCallsAfter(
  db: Db,
  tenantId: string,
  after: Position,
  { until, limit }: { until: number; limit: number },
): Promise<StoredCall[]> {
  return db
    .selectFrom('llm_calls')
    .select(priced)
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`(created_at, id) > (${after.created_at}, ${after.id})`)
    .where('created_at', '<', until)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Locks calls until the transaction ends. They are ordered by id. */
export async function findCalls(
  tx: Tx,
  tenantId: string,
  ids: readonly number[],
): Promise<StoredCall[]> {
  const where = { tenantId, by: 'id', values: ids, lock: 'no key update' } as const;
  const calls = await tx.bulk.find('llm_calls', priced, where);
  return calls.sort((a, b) => a.id - b.id);
}

export type NewCost = Pick<StoredCall, 'id' | 'cost' | 'cost_source'>;

/** Updates costs. Returns the calls that exist, and whether their prompts count them. */
export async function setCosts(
  tx: Tx,
  tenantId: string,
  costs: readonly NewCost[],
): Promise<Map<number, 0 | 1>> {
  const [first, ...rest] = padded(costs);
  if (!first) return new Map();
  // The first row sets the column types.
  const rows = [
    sql`(cast(${first.id} as bigint), cast(${first.cost} as double precision), cast(${first.cost_source} as text))`,
    ...rest.map(({ id, cost, cost_source }) => sql`(${id}, ${cost}, ${cost_source})`),
  ];
  const updated = await sql<{ id: number; prompt_counted: 0 | 1 }>`
    update llm_calls set cost = costs.column2, cost_source = costs.column3
    from (values ${sql.join(rows)}) as costs
    where llm_calls.tenant_id = ${tenantId} and llm_calls.id = costs.column1
    returning id, prompt_counted`.execute(tx.db);
  return new Map(updated.rows.map(({ id, prompt_counted }) => [id, prompt_counted]));
}

const LENGTHS = [10, 50, 250];

/**
 * Pads the list to 10, 50 or 250 rows by repeating the last one, which has no further effect, so
 * that only three statements have to be prepared.
 */
function padded(costs: readonly NewCost[]): readonly NewCost[] {
  const last = costs.at(-1);
  const length = LENGTHS.find((one) => one >= costs.length) ?? costs.length;
  if (!last) return [];
  return [...costs, ...Array<NewCost>(length - costs.length).fill(last)];
}

export type RecomputationRow = Omit<Tables['cost_recomputations'], 'tenant_id'>;

/** Claims the recomputation, unless one is running that was updated since `aliveSince`. */
export async function claimRecomputation(
  tx: Tx,
  tenantId: string,
  row: RecomputationRow,
  aliveSince: number,
): Promise<boolean> {
  const claimed = await tx.db
    .insertInto('cost_recomputations')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('tenant_id')
        .doUpdateSet(row)
        .where((eb) =>
          eb.or([
            eb('cost_recomputations.status', '!=', 'running'),
            eb('cost_recomputations.updated_at', '<', aliveSince),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Stores the progress; returns false if another process has taken over. */
export async function updateRecomputation(
  tx: Tx,
  tenantId: string,
  { id, ...changed }: Pick<RecomputationRow, 'id' | 'status' | 'progress' | 'updated_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('cost_recomputations')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function findRecomputation(db: Db, tenantId: string): Promise<RecomputationRow | undefined> {
  return db
    .selectFrom('cost_recomputations')
    .select(['id', 'status', 'dry_run', 'progress', 'started_at', 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
}
