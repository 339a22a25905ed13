import type { SecureContextOptions } from 'node:tls';
import { issueServerCertificate } from '#pki/authority.ts';
import type { Context } from '../context.ts';
import { findListenerAuthority, listTrustedRoots } from './authorities/queries.ts';
import { unseal } from './authority.ts';
import { deviceUrlOf, hostOf } from './device-address.ts';

/**
 * What the device listener proves itself with to the devices of a tenant, and whom it then knows.
 * It is the root that they have known longest which signs, until it is retired: one that is new is
 * not on every device yet.
 */
export async function listenerCredentials(
  context: Context,
  tenantId: string,
  knows: 'its devices' | 'all devices',
): Promise<SecureContextOptions> {
  const { db } = context.storage;
  const authority = await findListenerAuthority(db, tenantId);
  const url = deviceUrlOf(context.config.deviceUrl ?? 'https://localhost', tenantId);
  const server = await issueServerCertificate(unseal(context, authority), {
    names: [...new Set([hostOf(url), 'localhost', '127.0.0.1', '::1'])],
    now: context.now(),
  });
  return {
    cert: [server.certificatePem, authority.certificate].join('\n'),
    key: server.privateKeyPem,
    ca: await listTrustedRoots(db, knows === 'its devices' ? tenantId : undefined),
  };
}
