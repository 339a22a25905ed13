import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { X509Certificate } from 'node:crypto';
import { damaged, childAt, readBer, tags } from './ber.ts';
import { CmsError } from './cms-error.ts';
import { sequence } from './der.ts';

/**
 * How a signature identifies its certificate: the issuer's name and the serial number, as DER. The
 * bytes are copied unchanged, because names are compared bytewise.
 *
 * @throws CmsError
 */
export function issuerAndSerial(certificate: Uint8Array): Buffer {
  const tbs = childAt(readBer(certificate), 0, tags.sequence);
  const first = tbs.children[0]?.tag === tags.constructed0 ? 1 : 0;
  const serial = childAt(tbs, first, tags.integer);
  const issuer = childAt(tbs, first + 2, tags.sequence);
  return sequence(issuer.raw, serial.raw);
}

export interface Certificate {
  /** Node's representation: names, keys and signatures. */
  x509: X509Certificate;
  /** The extensions, which Node does not expose in full. */
  details: x509.X509Certificate;
  /** The identifier of the certificate in CMS, as DER. */
  issuerAndSerial: Buffer;
  /** The common name, or the whole subject if it has none. */
  name: string;
}

/** @throws CmsError unless the bytes are exactly one certificate */
export function readCertificate(der: Buffer): Certificate {
  try {
    const certificate = new X509Certificate(der);
    // Checked first: Node crashes with a segmentation fault if other members access an unreadable
    // key.
    if (!certificate.raw.equals(der) || !certificate.publicKey) throw damaged();
    const { validFromDate, validToDate } = certificate;
    if (!(validFromDate.getTime() <= validToDate.getTime())) throw damaged();
    const details = new x509.X509Certificate(new Uint8Array(der));
    return {
      x509: certificate,
      details,
      issuerAndSerial: issuerAndSerial(der),
      name: fieldOf(details, 'CN') ?? subjectOf(certificate),
    };
  } catch (error) {
    throw new CmsError('contains a damaged certificate', { cause: error });
  }
}

/** A field of the subject, the first if there are several. */
export const fieldOf = ({ subjectName }: x509.X509Certificate, field: 'CN' | 'OU') =>
  subjectName.getField(field)[0] ?? null;

/** The subject in one line. Node formats one field per line. */
export const subjectOf = ({ subject }: X509Certificate) => (subject ?? '').replaceAll('\n', ', ');

/** Returns the reason why the certificate is not valid at a time in milliseconds since 1970. */
export function checkValidity(
  { name, x509: { validFromDate, validToDate } }: Certificate,
  at: number,
) {
  const when = new Date(at).toISOString();
  if (at < validFromDate.getTime())
    return [`"${name}" is valid from ${validFromDate.toISOString()}, after ${when}`];
  if (at > validToDate.getTime())
    return [`"${name}" expired at ${validToDate.toISOString()}, before ${when}`];
  return [];
}

/** The purposes that a certificate is limited to (extended key usage). */
export const purposesOf = (details: x509.X509Certificate) =>
  details.getExtension(x509.ExtendedKeyUsageExtension);

/**
 * Whether the key may create digital signatures. A certificate without a key usage extension allows
 * every use.
 */
export function mayDigitallySign(details: x509.X509Certificate): boolean {
  const usage = details.getExtension(x509.KeyUsagesExtension);
  const allowed = x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation;
  return !usage || (usage.usages & allowed) !== 0;
}
