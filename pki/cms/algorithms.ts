import { CmsError } from './cms-error.ts';

/** Accepted signature digests. SHA-1 is broken. */
const digests: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The type of key, and the digest if the algorithm's name includes it. */
const signatures: Readonly<Record<string, { key: 'rsa' | 'ec'; digest: string | null }>> = {
  '1.2.840.113549.1.1.1': { key: 'rsa', digest: null },
  '1.2.840.113549.1.1.11': { key: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.2': { key: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', digest: 'sha512' },
};

/**
 * Node's name for a digest.
 *
 * @throws CmsError if the digest is weak or unknown
 */
export function digestOf(oid: string): string {
  const digest = digests[oid];
  if (!digest) throw new CmsError(`digest algorithm ${oid} is too weak or unknown`);
  return digest;
}

/**
 * The verification parameters for Node.
 *
 * @throws CmsError if the algorithms do not match
 */
export function schemeOf(signature: string, digestOid: string) {
  const digest = digestOf(digestOid);
  const scheme = signatures[signature];
  if (!scheme) throw new CmsError(`unsupported signature algorithm ${signature}`);
  if (scheme.digest !== null && scheme.digest !== digest)
    throw new CmsError(
      `the signature algorithm uses ${scheme.digest}, the digest algorithm is ${digest}`,
    );
  return { key: scheme.key, digest };
}

/**
 * Whether a certificate may be signed with the algorithm: it includes a digest that is not weak.
 */
export const isStrongSignature = (oid: string): boolean => Boolean(signatures[oid]?.digest);
