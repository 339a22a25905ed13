import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';

/** The devices that a change of configuration affects. */
export type ConfigReach =
  | { kind: 'fleet' }
  | { kind: 'none' }
  | { kind: 'user_group'; name: string }
  | { kind: 'devices'; ids: readonly string[] };

/** Creates a new version of the tenant's configuration, which the affected devices should apply. */
export async function bumpConfigVersion(
  tx: Tx,
  tenantId: string,
  reach: ConfigReach,
): Promise<void> {
  const version = await nextConfigVersion(tx, tenantId);
  await setTargetVersion(tx, tenantId, reach, version);
}

/**
 * Increments the version of the tenant's configuration. Concurrent changes get distinct versions.
 */
export async function nextConfigVersion(tx: Tx, tenantId: string): Promise<number> {
  const { config_version } = await tx.db
    .updateTable('tenants')
    .set((eb) => ({ config_version: eb('config_version', '+', 1) }))
    .where('id', '=', tenantId)
    .returning('config_version')
    .executeTakeFirstOrThrow();
  return config_version;
}

/** Sets the version that the affected devices should apply. All other devices stay up to date. */
export async function setTargetVersion(
  { db }: Tx,
  tenantId: string,
  reach: ConfigReach,
  version: number,
): Promise<void> {
  if (reach.kind === 'none') return;
  if (reach.kind === 'fleet') {
    const tenant = db.updateTable('tenants').where('id', '=', tenantId);
    await tenant.set({ fleet_config_version: version }).execute();
    return;
  }
  const devices = db.updateTable('devices').where('tenant_id', '=', tenantId);
  const concerned =
    reach.kind === 'user_group'
      ? devices.where('user_group', '=', reach.name)
      : devices.where('id', 'in', reach.ids);
  await concerned.set({ target_version: version }).execute();
}

export async function configVersion(db: Db, tenantId: string): Promise<number> {
  const { config_version } = await db
    .selectFrom('tenants')
    .select('config_version')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return config_version;
}
