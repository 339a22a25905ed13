import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import { refuseSuspended } from '../../tenancy/tenant-limits.ts';
import type { DeviceConnection } from './device-connection.ts';
import { listServed } from './delivery-queries.ts';
import type { Target } from './push-rules.ts';

const POLICY_VIOLATION = 1008;
const TRY_AGAIN = 1012;

/**
 * Of these lines of one tenant, those whose devices are still served; the others are cut off. All of
 * them are looked up in one query: a change that concerns thousands asks no more than one for one.
 */
export async function filterAuthorized(
  context: Context,
  tenantId: string,
  lines: readonly DeviceConnection[],
): Promise<Map<DeviceConnection, Target>> {
  if (lines.length === 0 || !(await isServed(context, tenantId, lines))) return new Map();
  const fingerprints = lines.map(({ fingerprint }) => fingerprint);
  const found = await listServed(context.storage, tenantId, fingerprints, context.now());
  const byFingerprint = new Map(found.map((row) => [row.fingerprint, row]));
  const served = new Map<DeviceConnection, Target>();
  for (const line of lines) {
    const row = byFingerprint.get(line.fingerprint);
    if (row) served.set(line, { deviceId: line.device.deviceId, ...row });
    else await cutOff(line);
  }
  return served;
}

/** A suspended tenant loses all of its lines. */
async function isServed(
  { storage }: Context,
  tenantId: string,
  lines: readonly DeviceConnection[],
): Promise<boolean> {
  try {
    await refuseSuspended(storage, tenantId);
    return true;
  } catch (error) {
    for (const line of lines) refuse(line, error);
    return false;
  }
}

/** Tells the device why, which the certificate's own check knows. */
async function cutOff(line: DeviceConnection): Promise<void> {
  try {
    await line.check();
    line.close(TRY_AGAIN, 'connect again');
  } catch (error) {
    refuse(line, error);
  }
}

function refuse(line: DeviceConnection, error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  line.close(POLICY_VIOLATION, error.message.slice(0, 100));
}
