import { ApiError } from '#contract/errors.ts';
import type { Credential, DeviceCaller } from '../http/caller.ts';
import type { Context } from '../context.ts';
import { type CertificateRequest, certificateOf } from '../http/client-certificate.ts';
import { findIdentity } from '../enrollment/queries.ts';

/**
 * Authenticates a device by its client certificate. TLS, ours or that of a trusted proxy, has
 * verified possession of the key, and the database knows which certificates are valid.
 *
 * @throws ApiError `unauthorized`
 */
export async function credentialOfCertificate(
  context: Context,
  request: CertificateRequest,
): Promise<Credential<DeviceCaller>> {
  const { fingerprint, expiry, chained } = certificateOf(request, context.config.clientCertProxies);
  // The expiry is also checked here, because a resumed TLS session is not verified again.
  if (expiry <= context.now())
    throw new ApiError(
      'certificate_expired',
      `the device certificate expired on ${new Date(expiry).toISOString()}`,
    );
  const identity = await findIdentity(context.storage.db, fingerprint);
  if (!chained || !identity)
    throw new ApiError('invalid_credentials', 'the device certificate is not one of ours');
  if (identity.revoked_at !== null || identity.status === 'revoked')
    throw new ApiError('certificate_revoked', 'the device certificate is revoked');
  const caller = { tenantId: identity.tenant_id, deviceId: identity.device_id };
  return { tenantId: caller.tenantId, callerOf: () => caller };
}
