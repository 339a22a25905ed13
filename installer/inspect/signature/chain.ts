import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { isStrongSignature } from '#pki/cms/algorithms.ts';
import { type Certificate, checkValidity } from '#pki/cms/parsed-certificate.ts';

/** A certificate, followed by its issuer, and so on. */
export type Chain = [Certificate, ...Certificate[]];

const RSA_MINIMUM = 2048;

/** Extensions that this file or its callers evaluate. */
const knownExtensions = new Set(['2.5.29.15', '2.5.29.19', '2.5.29.37']);
const APPLE_EXTENSIONS = '1.2.840.113635.100.6.';

/** The reasons why a chain is not valid at a time. `at` is in milliseconds since 1970. */
export function checkChain(chain: readonly Certificate[], at: number): string[] {
  return chain.flatMap((certificate, index) => [
    ...checkValidity(certificate, at),
    ...checkExtensions(certificate),
    ...checkKey(certificate),
    // A trust anchor's own signature is not checked, because Apple's root is signed with SHA-1.
    ...(index === chain.length - 1 ? [] : checkSignature(certificate)),
    // The first certificate is the signer. Each certificate above is an issuer with one more
    // authority below it.
    ...(index === 0 ? [] : checkAuthority(certificate, index - 1)),
  ]);
}

function checkExtensions({ name, details }: Certificate): string[] {
  return details.extensions
    .filter(({ type, critical }) => critical && !isKnown(type))
    .map(({ type }) => `"${name}" has the unsupported critical extension ${type}`);
}

const isKnown = (type: string) => knownExtensions.has(type) || type.startsWith(APPLE_EXTENSIONS);

function checkKey({ name, x509: certificate }: Certificate): string[] {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  if (asymmetricKeyType === 'ec') return [];
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (asymmetricKeyType === 'rsa' && bits >= RSA_MINIMUM) return [];
  return [`"${name}" has a key that is too weak or unknown (${asymmetricKeyType}, ${bits} bits)`];
}

function checkSignature({ name, x509: certificate }: Certificate): string[] {
  const { signatureAlgorithm: algorithm, signatureAlgorithmOid: oid } = certificate;
  if (isStrongSignature(oid)) return [];
  return [`"${name}" is signed with ${algorithm ?? oid}, which is too weak or unknown`];
}

function checkAuthority({ name, details }: Certificate, below: number): string[] {
  const constraints = details.getExtension(x509.BasicConstraintsExtension);
  if (!constraints?.ca) return [`"${name}" is not a CA certificate`];
  if (constraints.pathLength !== undefined && constraints.pathLength < below)
    return [`"${name}" allows ${constraints.pathLength} authorities below, there are ${below}`];
  const usage = details.getExtension(x509.KeyUsagesExtension);
  if (usage && (usage.usages & x509.KeyUsageFlags.keyCertSign) === 0)
    return [`"${name}" may not sign certificates`];
  return [];
}
