import { createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';

/**
 * A key and certificates that cannot be used for signing. The message is one line without secrets.
 */
export class IdentityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IdentityError';
  }
}

/**
 * The common name of a certificate's subject in quotation marks, or the whole subject if it has
 * none.
 */
export function nameOf(certificate: X509Certificate): string {
  return quoteName(certificate.subject);
}

/**
 * Quotes a name from an untrusted file. Line breaks and terminal control characters are replaced.
 */
function quoteName(name: string): string {
  const common = /^CN=(.*)$/m.exec(name)?.[1] ?? name;
  return `"${common.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')}"`;
}

/**
 * Orders certificates from the key's own certificate to the root, each followed by its issuer.
 * Other certificates are dropped.
 *
 * @throws IdentityError if there is no certificate for the key, or an issuer is missing
 */
export function orderChain(
  key: KeyObject,
  certificates: readonly X509Certificate[],
): [X509Certificate, ...X509Certificate[]] {
  const chain: [X509Certificate, ...X509Certificate[]] = [findKeyCertificate(key, certificates)];
  for (let last = chain[0]; !isSignedBy(last, last); chain.push(last)) {
    const unused = certificates.filter((candidate) => !chain.includes(candidate));
    last = findIssuer(last, unused);
  }
  return chain;
}

/**
 * Finds the certificate for the key. A renewed certificate may have the same key: the latest expiry
 * wins.
 */
function findKeyCertificate(
  key: KeyObject,
  certificates: readonly X509Certificate[],
): X509Certificate {
  const publicKey = createPublicKey(key);
  const [own] = certificates
    .filter((certificate) => certificate.publicKey.equals(publicKey))
    .sort((a, b) => b.validToDate.getTime() - a.validToDate.getTime());
  if (own) return own;
  if (certificates.length === 0)
    throw new IdentityError('contains a private key but no certificate');
  const names = certificates.map(nameOf).join(', ');
  throw new IdentityError(`the private key does not match the certificate ${names}`);
}

function findIssuer(
  certificate: X509Certificate,
  candidates: readonly X509Certificate[],
): X509Certificate {
  const issuer = candidates.find((candidate) => candidate.ca && isSignedBy(certificate, candidate));
  if (issuer) return issuer;
  throw new IdentityError(
    `the chain is incomplete: ${quoteName(certificate.issuer)}, the issuer of ` +
      `${nameOf(certificate)}, is missing; put all certificates up to the root into the file`,
  );
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
