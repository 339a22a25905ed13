import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  CRLDistributionPointsExtension,
  type Extension,
  PublicKey,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  Name,
} from '@peculiar/x509';
import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '#lib/time-units.ts';
import { immediateCrypto } from './immediate-crypto.ts';
import { importSigningKey, signatureAlgorithm } from './keys.ts';

/** Creates a subject with only this common name. In a plain string, `#` and `"` would be syntax. */
export const commonName = (text: string): Name => new Name([{ CN: [{ utf8String: text }] }]);

/** A certificate with its private key, both as PEM. */
export interface CertificateAndKey {
  certificatePem: string;
  privateKeyPem: string;
}

/** A root that issues certificates. */
export interface Issuer extends CertificateAndKey {
  /** URL of its revocation list; included in all certificates it issues. */
  crlUrl?: string;
}

/** The requested certificate cannot be issued. The message is one line. */
export class IssuanceError extends Error {
  constructor(message: string) {
    super(`certificate authority: ${message}`);
    this.name = 'IssuanceError';
  }
}

export interface CertificateOptions {
  commonName: string;
  publicKeyPem: string;
  /** Milliseconds since 1970. */
  now: number;
  days: number;
  extensions: Extension[];
}

/**
 * The validity period. It starts an hour ago, because the clocks of devices differ, and has whole
 * seconds, as in certificates.
 */
export function validity(now: number, days: number): { notBefore: Date; notAfter: Date } {
  const second = Math.floor(now / 1000) * 1000;
  return { notBefore: new Date(second - HOUR_MS), notAfter: new Date(second + days * DAY_MS) };
}

/**
 * Generates 16 random bytes. The first is in 64–127, so that the number is positive and never
 * shortened.
 */
export function randomSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes.readUInt8(0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/**
 * Issues a certificate under a root, valid at most as long as the root, within one turn of the
 * event loop.
 *
 * @throws IssuanceError if the root has expired
 */
export async function signCertificate(root: Issuer, options: CertificateOptions): Promise<string> {
  const issuer = new X509Certificate(root.certificatePem);
  const { notBefore, notAfter } = validity(options.now, options.days);
  if (options.now >= issuer.notAfter.getTime())
    throw new IssuanceError(`the root expired on ${issuer.notAfter.toISOString()}`);

  const publicKey = new PublicKey(options.publicKeyPem);
  const keyIds = [
    await SubjectKeyIdentifierExtension.create(publicKey, false, immediateCrypto),
    await AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, immediateCrypto),
  ];
  const crl = root.crlUrl === undefined ? [] : [new CRLDistributionPointsExtension([root.crlUrl])];
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: randomSerial(),
      subject: commonName(options.commonName),
      issuer: issuer.subjectName,
      notBefore,
      notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
      publicKey,
      signingKey: importSigningKey(root.privateKeyPem),
      signingAlgorithm: signatureAlgorithm,
      extensions: [...options.extensions, ...keyIds, ...crl],
    },
    immediateCrypto,
  );
  return certificate.toString('pem');
}
