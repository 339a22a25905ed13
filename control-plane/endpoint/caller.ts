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
  const certificate = presentedBy(socket);
  if (!certificate)
    throw new ApiError('unauthorized', 'a device certificate is required: enroll first');
  const { fingerprint, expiry } = certificate;
  // Asked again here, because a resumed TLS session is not checked anew.
  if (expiry <= context.now())
    throw new ApiError(
      'unauthorized',
      `the device certificate expired on ${new Date(expiry).toISOString()}`,
    );
  const identity = await findIdentity(context.storage.db, fingerprint);
  if (!(socket as TLSSocket).authorized || !identity)
    throw new ApiError('unauthorized', 'the device certificate is not one of ours');
  if (identity.revoked_at !== null || identity.status === 'revoked')
    throw new ApiError('unauthorized', 'the device certificate is revoked');
  await refuseSuspended(context.storage, identity.tenant_id);
  return { tenantId: identity.tenant_id, deviceId: identity.device_id };
}

interface Presented {
  fingerprint: string;
  /** Milliseconds since 1970. */
  expiry: number;
}

// Taking a certificate apart costs more than all else that a small request needs, and a connection
// has one for as long as it lasts.
const presented = new WeakMap<TLSSocket, Presented>();

function presentedBy(socket: Socket): Presented | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const known = presented.get(socket);
  if (known) return known;
  const { fingerprint256, valid_to } = socket.getPeerCertificate();
  if (!fingerprint256) return undefined;
  const certificate = { fingerprint: fingerprint256, expiry: Date.parse(valid_to) };
  presented.set(socket, certificate);
  return certificate;
}
