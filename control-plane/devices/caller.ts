import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import { refuseSuspended } from '../tenancy/tenant-limits.ts';
import { type CertificateRequest, presentedBy } from './client-certificate.ts';
import { findIdentity } from '../enrollment/queries.ts';

/**
 * The device behind a client certificate: TLS, ours or that of a proxy that we trust, has found that
 * it has the key; the database knows which certificates are ours and not revoked.
 *
 * @throws ApiError `unauthorized`, or `forbidden` when its tenant is suspended
 */
export async function callerOfCertificate(
  context: Context,
  asked: CertificateRequest,
): Promise<DeviceCaller> {
  const { fingerprint, expiry, chained } = presentedBy(asked, context.config.deviceProxies);
  // Asked here too, because a resumed TLS session is not checked anew.
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
