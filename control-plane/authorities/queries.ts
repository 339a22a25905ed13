import type { Insertable } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

const columns = ['id', 'tenant_id', 'state', 'certificate', 'private_key', 'created_at'] as const;

export type AuthorityState = 'active' | 'next' | 'previous' | 'retired';

export interface AuthorityRow {
  id: string;
  tenant_id: string;
  state: AuthorityState;
  certificate: string;
  /** Encrypted. */
  private_key: string;
  created_at: number;
}

/** Lists all roots of a tenant, including retired ones, newest first. */
export function listAuthorities(db: Db, tenantId: string): Promise<AuthorityRow[]> {
  return db
    .selectFrom('authorities')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export function findAuthorityById(
  db: Db,
  tenantId: string,
  id: string,
): Promise<AuthorityRow | undefined> {
  return db
    .selectFrom('authorities')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Finds the root with this id in any tenant, because its revocation list is public. */
export function findCrlIssuer(db: Db, id: string) {
  return db
    .selectFrom('authorities')
    .select([...columns, 'revocations'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Lists the roots that may sign the listener's certificate, beginning with the one that devices
 * have known longest.
 */
export async function listListenerAuthorities(
  db: Db,
  tenantId: string,
): Promise<[AuthorityRow, ...AuthorityRow[]]> {
  const [oldest, ...more] = await db
    .selectFrom('authorities')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('state', '<>', 'retired')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  if (oldest) return [oldest, ...more];
  throw new Error(
    `tenant ${tenantId} has no certificate authority: ` +
      'restore the rows of the table authorities from a backup',
  );
}

/** Lists the roots whose client certificates are accepted, of one tenant or of all. */
export async function listTrustedRoots(db: Db, tenantId?: string): Promise<string[]> {
  let roots = db.selectFrom('authorities').select('certificate').where('state', '<>', 'retired');
  if (tenantId !== undefined) roots = roots.where('tenant_id', '=', tenantId);
  const rows = await roots.execute();
  return rows.map((row) => row.certificate);
}

export async function insertAuthority(
  tx: Tx,
  authority: Insertable<Tables['authorities']>,
): Promise<void> {
  await tx.db.insertInto('authorities').values(authority).execute();
}

export async function setState(
  tx: Tx,
  { tenant_id, id }: Pick<AuthorityRow, 'tenant_id' | 'id'>,
  state: AuthorityState,
): Promise<void> {
  await tx.db
    .updateTable('authorities')
    .set({ state })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

/** Demotes the active root to a previous one, because only one root signs at a time. */
export async function demoteActive(tx: Tx, tenantId: string): Promise<void> {
  await tx.db
    .updateTable('authorities')
    .set({ state: 'previous' })
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'active')
    .execute();
}

/** Counts the valid identities that each root of a tenant has signed. */
export async function countIdentities(
  db: Db,
  tenantId: string,
  now: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('device_identities')
    .select(({ fn }) => ['authority_id', fn.countAll<number>().as('identities')])
    .where('tenant_id', '=', tenantId)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .groupBy('authority_id')
    .execute();
  return new Map(rows.map((row) => [row.authority_id ?? '', row.identities]));
}

/** Revokes all certificates that a root has signed. */
export async function revokeCertificatesOf(
  tx: Tx,
  { tenant_id, id }: Pick<AuthorityRow, 'tenant_id' | 'id'>,
  now: number,
): Promise<void> {
  for (const table of ['device_identities', 'device_intermediates'] as const)
    await tx.db
      .updateTable(table)
      .set({ revoked_at: now })
      .where('tenant_id', '=', tenant_id)
      .where('authority_id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
  await tx.db
    .updateTable('authorities')
    .set((eb) => ({ revocations: eb('revocations', '+', 1) }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

/** Lists the revoked certificates of a root that have not expired yet. */
export async function listRevoked(
  db: Db,
  { tenant_id, id }: Pick<AuthorityRow, 'tenant_id' | 'id'>,
  now: number,
): Promise<{ serial: string; revokedAt: number }[]> {
  const revoked: { serial: string; revokedAt: number }[] = [];
  for (const table of ['device_identities', 'device_intermediates'] as const) {
    const rows = await db
      .selectFrom(table)
      .select(['serial', 'revoked_at'])
      .where('tenant_id', '=', tenant_id)
      .where('authority_id', '=', id)
      .where('expires_at', '>', now)
      .where('revoked_at', 'is not', null)
      .orderBy('serial')
      .execute();
    revoked.push(...rows.map((row) => ({ serial: row.serial, revokedAt: row.revoked_at ?? now })));
  }
  return revoked;
}

/** Returns the next CRL number. Numbers increase strictly, across all processes. */
export async function nextCrlNumber(
  tx: Tx,
  { tenant_id, id }: Pick<AuthorityRow, 'tenant_id' | 'id'>,
): Promise<number> {
  const { crl_number } = await tx.db
    .updateTable('authorities')
    .set((eb) => ({ crl_number: eb('crl_number', '+', 1) }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returning('crl_number')
    .executeTakeFirstOrThrow();
  return crl_number;
}

/** Finds the tenant's active root, which signs. */
export function findAuthority(db: Db, tenantId: string) {
  return db
    .selectFrom('authorities')
    .select(['id', 'certificate', 'private_key'])
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow();
}

/** Lists every root that the tenant's devices should trust, the signing one first. */
export async function listLiveRoots(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('authorities')
    .select(['certificate', 'state'])
    .where('tenant_id', '=', tenantId)
    .where('state', '<>', 'retired')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows
    .toSorted((a, b) => Number(b.state === 'active') - Number(a.state === 'active'))
    .map((row) => row.certificate);
}
