import * as x509 from '@peculiar/x509';
import { InstallerError } from '../../installer-error.ts';
import type { Certificate } from './certificate.ts';
import type { Trust } from './trust.ts';

/** A certificate, its issuer, and so on. */
export type Chain = [Certificate, ...Certificate[]];

const lengthLimit = 6;
const rsaMinimum = 2048;

/** Extensions whose meaning is looked at here, or in ./purpose.ts. */
const knownExtensions = new Set(['2.5.29.15', '2.5.29.19', '2.5.29.37']);
const appleExtensions = '1.2.840.113635.100.6.';

/**
 * From a certificate up to one that is trusted, each signed by the next. Throws InstallerError where
 * there is no such way.
 */
export function findChain(
  leaf: Certificate,
  candidates: readonly Certificate[],
  trust: Trust,
): Chain {
  const chain: Chain = [leaf];
  for (let last = leaf; !trust.isAnchor(last);) {
    const issuer = [...trust.anchors, ...candidates].find((other) => isIssuer(other, last));
    if (!issuer || chain.includes(issuer) || chain.length >= lengthLimit)
      throw new InstallerError(`the chain ends at "${last.name}", which is not trusted`);
    chain.push(issuer);
    last = issuer;
  }
  return chain;
}

/** What hinders a chain from being valid at a time. `at` is milliseconds since 1970. */
export function checkChain(chain: readonly Certificate[], at: number): string[] {
  return chain.flatMap((certificate, index) => [
    ...checkValidity(certificate, at),
    ...checkExtensions(certificate),
    ...checkKey(certificate),
    // The first one signs for itself; those above issue, below each of them one authority more.
    ...(index === 0 ? [] : checkAuthority(certificate, index - 1)),
  ]);
}

function isIssuer(issuer: Certificate, subject: Certificate): boolean {
  return (
    issuer !== subject &&
    subject.x509.checkIssued(issuer.x509) &&
    subject.x509.verify(issuer.x509.publicKey)
  );
}

function checkValidity({ name, x509: { validFromDate, validToDate } }: Certificate, at: number) {
  const when = new Date(at).toISOString();
  if (at < validFromDate.getTime())
    return [`"${name}" is valid from ${validFromDate.toISOString()}, after ${when}`];
  if (at > validToDate.getTime())
    return [`"${name}" expired at ${validToDate.toISOString()}, before ${when}`];
  return [];
}

function checkExtensions({ name, details }: Certificate): string[] {
  return details.extensions
    .filter(({ type, critical }) => critical && !isKnown(type))
    .map(({ type }) => `"${name}" has the critical extension ${type}, which is not known here`);
}

const isKnown = (type: string) => knownExtensions.has(type) || type.startsWith(appleExtensions);

function checkKey({ name, x509: certificate }: Certificate): string[] {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  if (asymmetricKeyType === 'ec') return [];
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (asymmetricKeyType === 'rsa' && bits >= rsaMinimum) return [];
  return [`"${name}" has a key that is too weak or unknown (${asymmetricKeyType}, ${bits} bits)`];
}

function checkAuthority({ name, details }: Certificate, below: number): string[] {
  const constraints = details.getExtension(x509.BasicConstraintsExtension);
  if (!constraints?.ca) return [`"${name}" is not the certificate of an authority`];
  if (constraints.pathLength !== undefined && constraints.pathLength < below)
    return [`"${name}" allows ${constraints.pathLength} authorities below, there are ${below}`];
  const usage = details.getExtension(x509.KeyUsagesExtension);
  if (usage && (usage.usages & x509.KeyUsageFlags.keyCertSign) === 0)
    return [`"${name}" may not sign certificates`];
  return [];
}
