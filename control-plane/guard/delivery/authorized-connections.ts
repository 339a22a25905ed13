import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import { authorize } from '../../tenants/authorize.ts';
import type { DeviceConnection } from './device-connection.ts';
import { listAuthorized } from './delivery-queries.ts';
import type { Target } from './push-rules.ts';

const POLICY_VIOLATION = 1008;
const TRY_AGAIN = 1012;

/**
 * Returns the connections of one tenant whose certificate is still valid, and closes the others.
 * One query checks all connections, so that a change for thousands costs as much as for one.
 */
export async function closeUnauthorized(
  context: Context,
  tenantId: string,
  connections: readonly DeviceConnection[],
): Promise<Map<DeviceConnection, Target>> {
  if (connections.length === 0 || !(await isServed(context, tenantId, connections)))
    return new Map();
  const fingerprints = connections.map(({ fingerprint }) => fingerprint);
  const rows = await listAuthorized(context.storage.db, tenantId, fingerprints, context.now());
  const byFingerprint = new Map(rows.map((row) => [row.fingerprint, row]));
  const served = new Map<DeviceConnection, Target>();
  for (const connection of connections) {
    const row = byFingerprint.get(connection.fingerprint);
    if (row) served.set(connection, { deviceId: connection.device.deviceId, ...row });
    else await closeWithReason(connection);
  }
  return served;
}

/**
 * Whether connections of a tenant may stay open. A suspended tenant loses all of its connections.
 */
async function isServed(
  context: Context,
  tenantId: string,
  connections: readonly DeviceConnection[],
): Promise<boolean> {
  try {
    await authorize(context, { tenantId, callerOf: () => tenantId }, { auth: 'device' });
    return true;
  } catch (error) {
    for (const connection of connections) refuse(connection, error);
    return false;
  }
}

/** Closes a connection with the reason that the certificate check returns. */
async function closeWithReason(connection: DeviceConnection): Promise<void> {
  try {
    await connection.check();
    connection.close(TRY_AGAIN, 'reconnect');
  } catch (error) {
    refuse(connection, error);
  }
}

function refuse(connection: DeviceConnection, error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  connection.close(POLICY_VIOLATION, error.message.slice(0, 100));
}
