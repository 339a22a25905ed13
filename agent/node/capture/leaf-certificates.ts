import { createSecureContext, type SecureContext } from 'node:tls';
import { issueLeaf } from '#pki/authority.ts';
import type { CertificateAndKey } from '#pki/sign-certificate.ts';
import { generateKeyPair, type KeyPair } from '#pki/keys.ts';
import { DAY_MS, HOUR_MS } from '#lib/time-units.ts';

export interface LeafCertificates {
  /** Returns a TLS context with a certificate for this host, issued below the tenant's root. */
  contextFor: (host: string) => Promise<SecureContext>;
}

export interface LeafCertificatesOptions {
  now?: () => number;
  /** Generates the key that all certificates share. */
  generateKeys?: () => Promise<KeyPair>;
}

/** Whether a certificate of this age, which is negative after the clock was set back, is used. */
const isFresh = (ageMs: number): boolean => ageMs >= -HOUR_MS / 2 && ageMs < 5 * DAY_MS;

/**
 * Creates certificates for captured hosts. They are issued by this device's authority when first
 * needed, and kept in memory with their shared key. They are valid from an hour before until six days
 * after that, and replaced after five days, or if the clock is set back.
 */
export function createLeafCertificates(
  authority: CertificateAndKey,
  { now = Date.now, generateKeys = generateKeyPair }: LeafCertificatesOptions = {},
): LeafCertificates {
  const cache = new Map<string, { context: Promise<SecureContext>; issuedAt: number }>();
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
      if (cached && isFresh(now() - cached.issuedAt)) return cached.context;
      const context = issueContext(host);
      cache.set(host, { context, issuedAt: now() });
      // A failure is not cached.
      context.catch(() => cache.delete(host));
      return context;
    },
  };
}
