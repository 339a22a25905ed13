import { createSecureContext, type SecureContext } from 'node:tls';
import { issueLeaf } from '#pki/authority.ts';
import type { Credential } from '#pki/issue.ts';
import { generateKeyPair, type KeyPair } from '#pki/keys.ts';

export interface LeafCertificates {
  /** A TLS context with a certificate for this host, issued below the tenant's root. */
  contextFor: (host: string) => Promise<SecureContext>;
}

const day = 86_400_000;

/**
 * Certificates for captured hosts, minted under this device's authority when they are first needed and
 * kept in memory, as is their one key. They last six days, and are replaced after five.
 */
export function createLeafCertificates(
  authority: Credential,
  now: () => number = Date.now,
): LeafCertificates {
  const minted = new Map<string, { context: Promise<SecureContext>; until: number }>();
  let keys: Promise<KeyPair> | undefined;

  const mint = async (host: string): Promise<SecureContext> => {
    const { publicKeyPem, privateKeyPem } = await (keys ??= generateKeyPair());
    const leaf = await issueLeaf(authority, { host, publicKeyPem, now: now() });
    return createSecureContext({
      key: privateKeyPem,
      cert: `${leaf}\n${authority.certificatePem}`,
      minVersion: 'TLSv1.2',
    });
  };

  return {
    contextFor: (host) => {
      const known = minted.get(host);
      if (known && known.until > now()) return known.context;
      const context = mint(host);
      minted.set(host, { context, until: now() + 5 * day });
      // What failed once may work the next time.
      context.catch(() => minted.delete(host));
      return context;
    },
  };
}
