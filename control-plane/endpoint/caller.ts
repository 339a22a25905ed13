import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/call.ts';
import { refuseSuspended } from '../tenancy/known-tenants.ts';
import { findIdentity } from './enrollment/queries.ts';

/**
 * The device behind a client certificate: the TLS layer has checked the chain and the dates, the
 * database knows which certificates are ours and not revoked.
 *
 * @throws ApiError `unauthorized`, or `forbidden` when its tenant is suspended
 */
export async function callerOfCertificate(context: Context, socket: Socket): Promise<DeviceCaller> {
  const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined;
  if (!certificate?.fingerprint256)
    throw new ApiError('unauthorized', 'a device certificate is required: enroll first');
  const expiry = Date.parse(certificate.valid_to);
  // Asked again here, because a resumed TLS session is not checked anew.
  if (expiry <= context.now())
    throw new ApiError(
      'unauthorized',
      `the device certificate expired on ${new Date(expiry).toISOString()}`,
    );
  const identity = await findIdentity(context.storage.db, certificate.fingerprint256);
  if (!(socket as TLSSocket).authorized || !identity)
    throw new ApiError('unauthorized', 'the device certificate is not one of ours');
  if (identity.revoked_at !== null || identity.status === 'revoked')
    throw new ApiError('unauthorized', 'the device certificate is revoked');
  await refuseSuspended(context.storage, identity.tenant_id);
  return { tenantId: identity.tenant_id, deviceId: identity.device_id };
}
