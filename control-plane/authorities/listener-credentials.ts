import type { SecureContextOptions } from 'node:tls';
import { type CertificateAndKey, createRoot, issueServerCertificate } from '#pki/authority.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { Context } from '../context.ts';
import { listListenerAuthorities, listTrustedRoots } from './queries.ts';
import { decryptAuthority } from './device-authority.ts';
import { deviceUrlOf, hostOf } from '../lib/device-address.ts';

/** TLS 1.3, and the TLS 1.2 suites with forward secrecy and authenticated encryption (AEAD). */
const TLS = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    // The keys of the listener are on P-256.
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
  ].join(':'),
} as const;

/**
 * Returns the listener's certificate for the devices of a tenant, and the roots of the client
 * certificates it accepts. The certificate is signed by the root that devices have known longest,
 * until that one is retired, because a new root is not yet on every device.
 */
export async function listenerCredentials(
  context: Context,
  tenantId: string,
  knows: 'its devices' | 'all devices',
): Promise<SecureContextOptions> {
  const { db } = context.storage;
  const issuer = await issuerFor(context, tenantId);
  const url = deviceUrlOf(context.config.deviceUrl ?? 'https://localhost', tenantId);
  const server = await issueServerCertificate(issuer, {
    names: [...new Set([hostOf(url), 'localhost', '127.0.0.1', '::1'])],
    now: context.now(),
  });
  return {
    ...TLS,
    cert: [server.certificatePem, issuer.certificatePem].join('\n'),
    key: server.privateKeyPem,
    ca: await listTrustedRoots(db, knows === 'its devices' ? tenantId : undefined),
  };
}

/**
 * Returns the root that signs. If every root has expired, no device trusts the listener. It still
 * starts, with an untrusted root, so that an administrator can create the next one.
 */
async function issuerFor(context: Context, tenantId: string): Promise<CertificateAndKey> {
  const now = context.now();
  const authorities = await listListenerAuthorities(context.storage.db, tenantId);
  const ends = authorities.map(({ certificate }) => describeCertificate(certificate).notAfter);
  const valid = authorities.find((_, i) => (ends[i] ?? 0) > now);
  if (valid) return decryptAuthority(context, valid);
  context.log.error(
    `tenant ${tenantId}: its root expired on ${new Date(Math.max(...ends)).toISOString()}, so no ` +
      'device can connect. Create the next root: POST /api/v1/endpoint/authorities/rotate/, then ' +
      '{id}/activate/, then deploy a new profile to the devices',
  );
  return createRoot({ name: 'Every root has expired', now });
}
