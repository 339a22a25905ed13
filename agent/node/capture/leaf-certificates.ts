import { createSecureContext, type SecureContext } from 'node:tls';
import { issueLeaf } from '#pki/authority.ts';
import type { CertificateAndKey } from '#pki/sign-certificate.ts';
import { generateKeyPair, type KeyPair } from '#pki/keys.ts';
import { DAY_MS } from '#lib/time-units.ts';

export interface LeafCertificates {
  /** Returns a TLS context with a certificate for this host, issued below the tenant's root. */
  contextFor: (host: string) => Promise<SecureContext>;
}

export interface LeafCertificatesOptions {
  now?: () => number;
  /** Generates the key that all certificates share. */
  generateKeys?: () => Promise<KeyPair>;
}

/**
 * Creates certificates for captured hosts. They are issued by this device's authority when first
 * needed, and kept in memory with their shared key. They are valid for six days, and replaced after
 * five.
 */
export function createLeafCertificates(
  authority: CertificateAndKey,
  { now = Date.now, generateKeys = generateKeyPair }: LeafCertificatesOptions = {},
): LeafCertificates {
  const cache = new Map<string, { context: Promise<SecureContext>; until: number }>();
  let keys: Promise<KeyPair> | undefined;

  const sharedKeys = (): Promise<KeyPair> =>
    (keys ??= generateKeys().catch((error: unknown) => {
      // A failure is not kept.
      keys = undefined;
      throw error;
    }));

  const issueContext = async (host: string): Promise<SecureContext> => {
    const { publicKeyPem, privateKeyPem } = await sharedKeys();
    const leaf = await issueLeaf(authority, { host, publicKeyPem, now: now() });
    return createSecureContext({
      key: privateKeyPem,
      cert: `${leaf}\n${authority.certificatePem}`,
      minVersion: 'TLSv1.2',
    });
  };

  return {
    contextFor: (host) => {
      const cached = cache.get(host);
      if (cached && cached.until > now()) return cached.context;
      const context = issueContext(host);
      cache.set(host, { context, until: now() + 5 * DAY_MS });
      // A failure is not cached.
      context.catch(() => cache.delete(host));
      return context;
    },
  };
}
