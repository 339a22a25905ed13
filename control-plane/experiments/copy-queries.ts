import { sql } from 'kysely';
import type { DatasetKey } from '../datasets/queries.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';

const activeItems = (db: Db, { tenant_id, dataset_id }: DatasetKey) =>
  db
    .selectFrom('dataset_items')
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id)
    .where('archived_at', 'is', null);

/**
 * Returns the position after the last item of a dataset; undefined if all items are archived, in
 * which case no experiment can run.
 */
export async function endOfItems(db: Db, key: DatasetKey): Promise<number | undefined> {
  const row = await activeItems(db, key)
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && row.position + 1;
}

interface Batch {
  experiment_id: string;
  /** The positions of the items. */
  from: number;
  before: number;
  limit: number;
}

/** Copies the next items of a dataset as results of an experiment. Returns their positions. */
export async function copyItems(
  tx: Tx,
  key: DatasetKey,
  { experiment_id, from, before, limit }: Batch,
): Promise<number[]> {
  const rows = await tx.db
    .insertInto('experiment_results')
    .columns([
      'tenant_id',
      'item_id',
      'position',
      'input_preview',
      'expected_preview',
      'input',
      'expected_output',
      'experiment_id',
      'status',
      'tokens_in',
      'tokens_out',
      'cost',
      'evaluation_cost',
      'output_preview',
      'output',
      'missing_variables',
      'ignored_settings',
      'tool_calls',
    ])
    .expression(
      activeItems(tx.db, key)
        .select([
          'tenant_id',
          'id',
          'position',
          'input_preview',
          'expected_preview',
          'input',
          'expected_output',
        ])
        .select([
          sql<string>`cast(${experiment_id} as text)`.as('experiment_id'),
          sql<'pending'>`'pending'`.as('status'),
          ...(['tokens_in', 'tokens_out', 'cost', 'evaluation_cost'] as const).map((column) =>
            sql<number>`0`.as(column),
          ),
          ...(['output_preview', 'output'] as const).map((column) => sql<string>`''`.as(column)),
          ...(['missing_variables', 'ignored_settings', 'tool_calls'] as const).map((column) =>
            sql<string>`'[]'`.as(column),
          ),
        ])
        .where('position', '>=', from)
        .where('position', '<', before)
        .orderBy('position')
        .limit(limit),
    )
    .returning('position')
    .execute();
  return rows.map(({ position }) => position);
}
