import { sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import type { ConfiguredPrice } from './operator-and-tenant-prices.ts';

export interface Override extends ConfiguredPrice {
  updated_at: number;
}

const rates = [
  'input_cost_per_million',
  'output_cost_per_million',
  'cache_read_cost_per_million',
  'cache_write_cost_per_million',
] as const;

const keyOf = (modelId: string): string => modelId.toLowerCase();

export function listOverrides(db: Db, tenantId: string): Promise<Override[]> {
  return db
    .selectFrom('model_cost_overrides')
    .select(['model_id', ...rates, 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .orderBy('model_key')
    .execute();
}

/** Finds the override of exactly this model, case-insensitively. */
export function findOverride(
  db: Db,
  tenantId: string,
  modelId: string,
): Promise<Override | undefined> {
  return db
    .selectFrom('model_cost_overrides')
    .select(['model_id', ...rates, 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .where('model_key', '=', keyOf(modelId))
    .executeTakeFirst();
}

export async function putOverride(tx: Tx, tenantId: string, price: Override): Promise<void> {
  await tx.db
    .insertInto('model_cost_overrides')
    .values({ tenant_id: tenantId, model_key: keyOf(price.model_id), ...price })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'model_key']).doUpdateSet(price))
    .execute();
}

/** Deletes an override; returns false if there is none. */
export async function deleteOverride(tx: Tx, tenantId: string, modelId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('model_cost_overrides')
    .where('tenant_id', '=', tenantId)
    .where('model_key', '=', keyOf(modelId))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Counts calls without a price, by model and provider, most calls first. It reads only these rows.
 */
export function countUnpriced(db: Db, tenantId: string) {
  return (
    db
      .selectFrom('llm_calls')
      .select((eb) => [
        'model',
        'provider',
        eb.fn.countAll<number>().as('call_count'),
        eb.fn.sum<number>('total_tokens').as('total_tokens'),
      ])
      .where('tenant_id', '=', tenantId)
      // This is a literal, because a partial index is not used for a parameter.
      .where('cost_source', '=', sql.lit('unpriced'))
      .groupBy(['model', 'provider'])
      .orderBy('call_count', 'desc')
      .orderBy('model')
      .orderBy('provider')
      .execute()
  );
}

export async function listTenantIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('tenants').select('id').orderBy('created_at').execute();
  return rows.map(({ id }) => id);
}
