import { subjectLock } from '../storage/locks.ts';
import { mentions } from '../storage/contains.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { PolicyTable, PolicyVersionTable } from '../storage/tables/governance.ts';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';

interface Paging {
  limit: number;
  offset: number;
}

export interface PolicyFilter extends Paging {
  category?: string | undefined;
  enabled?: number | undefined;
}

/** Identifies a policy. Every query filters by both columns. */
export interface PolicyKey {
  tenant_id: string;
  policy_id: string;
}

type Policy = Omit<PolicyTable, 'tenant_id'>;

/** Lists policies in evaluation order: by priority, then by id. */
export async function listPolicies(db: Db, tenantId: string, filter: PolicyFilter) {
  let policies = db.selectFrom('policies').where('tenant_id', '=', tenantId);
  if (filter.category !== undefined) policies = policies.where('category', '=', filter.category);
  if (filter.enabled !== undefined) policies = policies.where('enabled', '=', filter.enabled);
  const rows = await policies
    .selectAll()
    .orderBy('priority')
    .orderBy('id')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const hits = await listHits(
    db,
    tenantId,
    rows.map(({ id }) => id),
  );
  const never = { hits: 0, last_triggered_at: null };
  return {
    rows: rows.map((row) => ({ ...row, ...(hits.get(row.id) ?? never) })),
    count: await countOf(policies),
  };
}

/** Counts the findings of the policies in the stored incidents. */
async function listHits(db: Db, tenantId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('incidents')
    .where('tenant_id', '=', tenantId)
    .where('policy_id', 'in', valueList(ids))
    .groupBy('policy_id')
    .select('policy_id')
    .select(({ fn }) => [
      fn.sum<number>('occurrences').as('hits'),
      fn.max<number>('last_seen_at').as('last_triggered_at'),
    ])
    .execute();
  return new Map(rows.map(({ policy_id, ...found }) => [policy_id, found]));
}

export function findPolicy(db: Db, { tenant_id, policy_id }: PolicyKey) {
  return db
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', policy_id)
    .executeTakeFirst();
}

/** Inserts or replaces a policy by id. Fails if another policy has its name. */
export async function putPolicy(tx: Tx, tenantId: string, policy: Policy): Promise<void> {
  const { id: _id, ...changed } = policy;
  await tx.db
    .insertInto('policies')
    .values({ tenant_id: tenantId, ...policy })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet(changed))
    .execute();
}

export async function deletePolicy(tx: Tx, { tenant_id, policy_id }: PolicyKey): Promise<void> {
  await tx.db
    .deleteFrom('policies')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', policy_id)
    .execute();
}

const SUBJECTS_PER_BATCH = 200;

/**
 * Deletes the state stored for a deleted policy. It works in batches, because checks of the same
 * subjects wait for the locks. State that a concurrent check writes back is dropped when its
 * subject is next written.
 */
export async function forgetPolicy(
  { reader, transaction, withoutKey }: Storage,
  { tenant_id, policy_id }: PolicyKey,
): Promise<void> {
  const states = reader
    .selectFrom('policy_states')
    .select('subject')
    .where('tenant_id', '=', tenant_id)
    .where(mentions('states', JSON.stringify(policy_id)))
    .orderBy('subject')
    .limit(SUBJECTS_PER_BATCH);
  for (let after = ''; ;) {
    const rows = await states.where('subject', '>', after).execute();
    const subjects = rows.map(({ subject }) => subject);
    const last = subjects.at(-1);
    if (last === undefined) return;
    after = last;
    await transaction(async (tx) => {
      await tx.lock(...subjects.map((subject) => subjectLock({ tenant_id, subject })));
      await tx.db
        .updateTable('policy_states')
        .set('states', withoutKey('states', policy_id))
        .where('tenant_id', '=', tenant_id)
        .where('subject', 'in', valueList(subjects))
        .execute();
    });
  }
}

export async function insertVersion(tx: Tx, version: PolicyVersionTable): Promise<void> {
  await tx.db.insertInto('policy_versions').values(version).execute();
}

/** Returns the latest version; 0 if the policy has none. */
export async function latestVersion(db: Db, { tenant_id, policy_id }: PolicyKey): Promise<number> {
  const row = await db
    .selectFrom('policy_versions')
    .select('version')
    .where('tenant_id', '=', tenant_id)
    .where('policy_id', '=', policy_id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** Lists versions, newest first. */
export async function listVersions(
  db: Db,
  { tenant_id, policy_id }: PolicyKey,
  { limit, offset }: Paging,
) {
  const versions = db
    .selectFrom('policy_versions')
    .where('tenant_id', '=', tenant_id)
    .where('policy_id', '=', policy_id);
  const rows = await versions
    .select(['policy_id', 'version', 'change', 'name', 'actor_type', 'actor_id'])
    .select(['note', 'created_at'])
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(versions) };
}

export function findVersion(db: Db, { tenant_id, policy_id }: PolicyKey, version: number) {
  return db
    .selectFrom('policy_versions')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('policy_id', '=', policy_id)
    .where('version', '=', version)
    .executeTakeFirst();
}
