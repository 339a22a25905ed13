import { ApiError } from '#contract/errors.ts';
import type { GuardConfig, GuardLevel } from '#contract/guard.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { GuardChangeTable } from '../storage/tables/guard.ts';
import type { Tx } from '../storage/transaction.ts';

export interface LayerChange extends Omit<
  GuardChangeTable,
  'tenant_id' | 'scope' | 'before' | 'after'
> {
  scope: string | null;
  before: GuardConfig | null;
  after: GuardConfig | null;
}

interface HistoryQuery {
  layer?: GuardLevel | undefined;
  scope?: string | undefined;
  limit: number;
  offset: number;
}

const columns = [
  'id',
  'version',
  'change',
  'layer',
  'scope',
  'layer_id',
  'before',
  'after',
  'reverts',
  'changed_by',
  'changed_at',
] as const;

const asConfig = (text: string | null): GuardConfig | null =>
  text === null ? null : (JSON.parse(text) as GuardConfig);

const asChange = (row: Omit<GuardChangeTable, 'tenant_id'>): LayerChange => ({
  ...row,
  scope: row.scope || null,
  before: asConfig(row.before),
  after: asConfig(row.after),
});

export async function insertChange(tx: Tx, tenantId: string, change: LayerChange): Promise<void> {
  const { scope, before, after } = change;
  await tx.db
    .insertInto('guard_changes')
    .values({
      tenant_id: tenantId,
      ...change,
      scope: scope ?? '',
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    })
    .execute();
}

/** Lists changes, newest first. */
export async function listChanges(db: Db, tenantId: string, filter: HistoryQuery) {
  let changes = db.selectFrom('guard_changes').where('tenant_id', '=', tenantId);
  if (filter.layer !== undefined) changes = changes.where('layer', '=', filter.layer);
  if (filter.scope !== undefined) changes = changes.where('scope', '=', filter.scope);
  const rows = await changes
    .select(columns)
    .orderBy('version', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows: rows.map(asChange), count: await countOf(changes) };
}

/** @throws ApiError `not_found` */
export async function findChange(db: Db, tenantId: string, id: string): Promise<LayerChange> {
  const row = await db
    .selectFrom('guard_changes')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new ApiError('not_found', `no Guard layer change has the id ${id}`);
  return asChange(row);
}
