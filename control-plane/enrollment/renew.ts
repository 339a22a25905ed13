import type { Enrollment } from '#contract/device-protocol.ts';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import { deviceLock } from '../storage/locks.ts';
import { issueCertificates } from './issue-certificates.ts';
import { publicKeyHash, refuseForeignId, type SigningRequests } from './signing-requests.ts';
import { findEnrollmentState, updateEnrollmentState } from './queries.ts';

/**
 * Renews the certificates of an enrolled device. It checks revocation again within the transaction,
 * because the device may have been revoked since authentication.
 *
 * @throws ApiError `unauthorized`
 */
export function renewDevice(
  context: Context,
  caller: DeviceCaller,
  requests: SigningRequests,
): Promise<Enrollment> {
  refuseForeignId(requests, caller.deviceId);
  const { tenantId, deviceId } = caller;
  return context.storage.transaction(async (tx) => {
    const { hardware_id } = (await findEnrollmentState(tx.db, tenantId, deviceId)) ?? {};
    if (hardware_id !== undefined) await tx.lock(deviceLock(tenantId, hardware_id));
    const current = await findEnrollmentState(tx.db, tenantId, deviceId);
    if (current?.status !== 'active')
      throw new ApiError('certificate_revoked', 'the device certificate is revoked');
    await updateEnrollmentState(tx, tenantId, deviceId, {
      identity_key: publicKeyHash(requests.identity),
    });
    return issueCertificates(tx, context, caller, requests);
  });
}
