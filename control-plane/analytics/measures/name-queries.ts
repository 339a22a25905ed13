import type { Db } from '../../storage/open.ts';

/** Names of the API keys by id, also of revoked ones. */
export async function findKeyNames(db: Db, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
