import { InstallerError } from '../../installer-error.ts';

/** Digests that a signature may rest on. SHA-1 is broken. */
const digests: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The kind of key, and the digest where the name of the algorithm says it. */
const signatures: Readonly<Record<string, { key: 'rsa' | 'ec'; digest: string | null }>> = {
  '1.2.840.113549.1.1.1': { key: 'rsa', digest: null },
  '1.2.840.113549.1.1.11': { key: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.2': { key: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', digest: 'sha512' },
};

/** Node's name of a digest. Throws InstallerError for one that is weak or unknown. */
export function digestOf(oid: string): string {
  const digest = digests[oid];
  if (!digest) throw new InstallerError(`digest algorithm ${oid} is too weak or unknown`);
  return digest;
}

/** How to verify. Throws InstallerError where both algorithms do not fit. */
export function schemeOf(signature: string, digestOid: string) {
  const digest = digestOf(digestOid);
  const scheme = signatures[signature];
  if (!scheme) throw new InstallerError(`signature algorithm ${signature} is not known here`);
  if (scheme.digest !== null && scheme.digest !== digest)
    throw new InstallerError(`a signature of ${scheme.digest} over a digest of ${digest}`);
  return { key: scheme.key, digest };
}

/** Whether a certificate may be signed with it: its name says the digest, and that is no weak one. */
export const isStrongSignature = (oid: string): boolean => Boolean(signatures[oid]?.digest);
