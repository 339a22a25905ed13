import type { Insertable, Selectable, Updateable } from 'kysely';
import { type AddOnCode, addOnCodes } from '#contract/route.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type Tenant = Selectable<Tables['tenants']>;

export async function hasTenants(db: Db): Promise<boolean> {
  return (await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export interface NewTenant {
  tenant: Insertable<Tables['tenants']>;
  authority: Insertable<Tables['authorities']>;
  apiKey: Insertable<Tables['api_keys']>;
}

export interface FirstTenant extends NewTenant {
  owner: Insertable<Tables['users']>;
}

/** Inserts a tenant with its CA and first API key. */
export async function insertTenant(tx: Tx, parts: NewTenant): Promise<void> {
  await tx.db.insertInto('tenants').values(parts.tenant).execute();
  await tx.db.insertInto('authorities').values(parts.authority).execute();
  await tx.db.insertInto('api_keys').values(parts.apiKey).execute();
}

/**
 * Creates a tenant with an owner and every add-on, and runs `writeAudit` in the same transaction.
 * Returns false if the owner's email already exists, which means that another process started at
 * the same time and was first.
 */
export async function createTenant(
  storage: Storage,
  parts: FirstTenant,
  writeAudit: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  try {
    await storage.transaction(async (tx) => {
      await insertTenant(tx, parts);
      await tx.db.insertInto('users').values(parts.owner).execute();
      await tx.db.insertInto('tenant_add_ons').values(allAddOns(parts.tenant)).execute();
      await writeAudit(tx);
    });
    return true;
  } catch (error) {
    if (storage.isUnique(error)) return false;
    throw error;
  }
}

const allAddOns = ({ id, created_at }: NewTenant['tenant']) =>
  addOnCodes.map((code) => ({ tenant_id: id, code, activated_at: created_at }));

/** Finds the oldest tenant, which was created with the installation. */
export function firstTenant(db: Db) {
  return db
    .selectFrom('tenants')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
}

const stateColumns = [
  'id',
  'parent_id',
  'suspended_at',
  'max_agents',
  'max_tokens_per_day',
  'max_agent_runs_per_day',
] as const;

/** The columns of a tenant that every request depends on: its parent, suspension and quotas. */
export type TenantState = Pick<Tenant, (typeof stateColumns)[number]>;

export function readTenantState(db: Db, id: string): Promise<TenantState | undefined> {
  return db.selectFrom('tenants').select(stateColumns).where('id', '=', id).executeTakeFirst();
}

/** Finds a tenant and its ancestors, the tenant first; empty if it does not exist. */
export async function findTenantAndAncestors(db: Db, id: string): Promise<Tenant[]> {
  const lineage: Tenant[] = [];
  for (let next: string | null = id; next !== null;) {
    const row: Tenant | undefined = await db
      .selectFrom('tenants')
      .selectAll()
      .where('id', '=', next)
      .executeTakeFirst();
    if (!row) break;
    lineage.push(row);
    next = row.parent_id;
  }
  return lineage;
}

/** Begins a query with the CTE `within`, which holds the ids of a tenant and its descendants. */
export const withDescendants = (db: Db, tenantId: string) =>
  db.withRecursive('within', (start) =>
    start
      .selectFrom('tenants')
      .select('tenants.id')
      .where('tenants.id', '=', tenantId)
      .unionAll((step) =>
        step
          .selectFrom('tenants')
          .innerJoin('within', 'within.id', 'tenants.parent_id')
          .select('tenants.id'),
      ),
  );

/** Lists all descendants of a tenant. */
export function listDescendants(db: Db, tenantId: string): Promise<TenantState[]> {
  return withDescendants(db, tenantId)
    .selectFrom('tenants')
    .innerJoin('within', 'within.id', 'tenants.id')
    .select(['tenants.id', 'parent_id', 'suspended_at'])
    .select(['max_agents', 'max_tokens_per_day', 'max_agent_runs_per_day'])
    .where('tenants.id', '<>', tenantId)
    .orderBy('tenants.id')
    .execute();
}

/** Lists the names of all descendants of a tenant. */
export function listDescendantNames(db: Db, tenantId: string) {
  return withDescendants(db, tenantId)
    .selectFrom('tenants')
    .innerJoin('within', 'within.id', 'tenants.id')
    .select(['tenants.id', 'tenants.name'])
    .where('tenants.id', '<>', tenantId)
    .orderBy('tenants.id')
    .execute();
}

export interface SubTenantFilter {
  status?: 'active' | 'suspended' | undefined;
  external_id?: string | undefined;
}

/** Lists direct sub-tenants, oldest first. */
export function listSubTenants(db: Db, parentId: string, filter: SubTenantFilter) {
  let tenants = db.selectFrom('tenants').selectAll().where('parent_id', '=', parentId);
  if (filter.status)
    tenants = tenants.where('suspended_at', filter.status === 'active' ? 'is' : 'is not', null);
  if (filter.external_id) tenants = tenants.where('external_id', '=', filter.external_id);
  return tenants.orderBy('created_at').orderBy('id').execute();
}

export async function listSlugs(db: Db, parentId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('tenants')
    .select('slug')
    .where('parent_id', '=', parentId)
    .execute();
  return new Set(rows.flatMap(({ slug }) => slug ?? []));
}

export async function updateTenant(
  tx: Tx,
  id: string,
  change: Updateable<Tables['tenants']>,
): Promise<Tenant> {
  return tx.db
    .updateTable('tenants')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function listTenants(db: Db): Promise<string[]> {
  const tenants = await db.selectFrom('tenants').select('id').execute();
  return tenants.map(({ id }) => id);
}

export async function listActiveCodes(db: Db, tenantId: string): Promise<AddOnCode[]> {
  const rows = await db
    .selectFrom('tenant_add_ons')
    .select('code')
    .where('tenant_id', '=', tenantId)
    .execute();
  return rows.map(({ code }) => code);
}

export const activeAddOns = async (
  { storage }: { storage: Pick<Storage, 'db'> },
  tenantId: string,
): Promise<ReadonlySet<AddOnCode>> => new Set(await listActiveCodes(storage.db, tenantId));
