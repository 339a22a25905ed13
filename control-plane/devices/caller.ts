import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import { refuseSuspended } from '../tenancy/tenant-limits.ts';
import { type CertificateRequest, presentedBy } from './client-certificate.ts';
import { findIdentity } from '../enrollment/queries.ts';

/**
 * Authenticates a device by its client certificate: TLS, ours or that of a trusted proxy, has
 * verified possession of the key; the database knows which certificates are valid.
 *
 * @throws ApiError `unauthorized`, or `forbidden` if its tenant is suspended
 */
export async function callerOfCertificate(
  context: Context,
  request: CertificateRequest,
): Promise<DeviceCaller> {
  const { fingerprint, expiry, chained } = presentedBy(request, context.config.deviceProxies);
  // Checked here too, because a resumed TLS session is not verified again.
  if (expiry <= context.now())
    throw new ApiError(
      'unauthorized',
      `the device certificate expired on ${new Date(expiry).toISOString()}`,
    );
  const identity = await findIdentity(context.storage.db, fingerprint);
  if (!chained || !identity)
    throw new ApiError('unauthorized', 'the device certificate is not one of ours');
  if (identity.revoked_at !== null || identity.status === 'revoked')
    throw new ApiError('unauthorized', 'the device certificate is revoked');
  await refuseSuspended(context.storage, identity.tenant_id);
  return { tenantId: identity.tenant_id, deviceId: identity.device_id };
}
