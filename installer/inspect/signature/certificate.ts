import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { X509Certificate } from 'node:crypto';
import { InstallerError } from '../../installer-error.ts';
import type { CertificateReport } from '../inspection.ts';
import { childAt, damaged, readBer, tags } from './ber.ts';

export interface Certificate {
  /** Node's representation: names, keys and signatures. */
  x509: X509Certificate;
  /** The extensions, which Node does not expose in full. */
  details: x509.X509Certificate;
  /** DER of the issuer's name, then of the serial number: how CMS identifies a certificate. */
  issuerAndSerial: Buffer;
  /** The common name, or the whole subject if it has none. */
  name: string;
}

/** Throws InstallerError unless the bytes are exactly one certificate. */
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
      issuerAndSerial: readIssuerAndSerial(der),
      name: fieldOf(details, 'CN') ?? subjectOf(certificate),
    };
  } catch (error) {
    throw new InstallerError('contains a damaged certificate', { cause: error });
  }
}

/** A field of the subject: the first if there are several. */
export const fieldOf = ({ subjectName }: x509.X509Certificate, field: 'CN' | 'OU') =>
  subjectName.getField(field)[0] ?? null;

export const describeCertificate = ({ x509: certificate }: Certificate): CertificateReport => ({
  subject: subjectOf(certificate),
  notBefore: certificate.validFromDate.toISOString(),
  notAfter: certificate.validToDate.toISOString(),
  fingerprint256: certificate.fingerprint256,
});

/** Node formats one field per line. */
const subjectOf = ({ subject }: X509Certificate) => (subject ?? '').replaceAll('\n', ', ');

function readIssuerAndSerial(der: Buffer): Buffer {
  const tbs = childAt(readBer(der), 0, tags.sequence);
  const first = tbs.children[0]?.tag === tags.constructed0 ? 1 : 0;
  const serial = childAt(tbs, first, tags.integer);
  const issuer = childAt(tbs, first + 2, tags.sequence);
  return Buffer.concat([issuer.raw, serial.raw]);
}
