import 'reflect-metadata';
import { AsnConvert } from '@peculiar/asn1-schema';
import { CRLNumber, id_ce_cRLNumber } from '@peculiar/asn1-x509';
import {
  AuthorityKeyIdentifierExtension,
  Extension,
  X509Certificate,
  X509CrlGenerator,
} from '@peculiar/x509';
import type { CertificateAndKey } from './sign-certificate.ts';
import { importSigningKey, signatureAlgorithm } from './keys.ts';

export interface Revocation {
  /** Hexadecimal. */
  serial: string;
  /** Milliseconds since 1970. */
  revokedAt: number;
}

export interface CrlOptions {
  /** The number of this list, greater than that of every earlier list. */
  number: number;
  /** Milliseconds since 1970. */
  now: number;
  /** The validity of the list in milliseconds. */
  validityMs: number;
  revoked: readonly Revocation[];
}

/**
 * Creates the signed revocation list of a root, as DER. Times are rounded down to whole seconds.
 */
export async function createCrl(
  root: CertificateAndKey,
  options: CrlOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const issuer = new X509Certificate(root.certificatePem);
  const crl = await X509CrlGenerator.create({
    issuer: issuer.subjectName,
    thisUpdate: wholeSecond(options.now),
    nextUpdate: wholeSecond(options.now + options.validityMs),
    signingAlgorithm: signatureAlgorithm,
    signingKey: importSigningKey(root.privateKeyPem),
    entries: options.revoked.map(({ serial, revokedAt }) => ({
      serialNumber: serial,
      revocationDate: wholeSecond(revokedAt),
    })),
    extensions: [
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      new Extension(id_ce_cRLNumber, false, AsnConvert.serialize(new CRLNumber(options.number))),
    ],
  });
  return new Uint8Array(crl.rawData);
}

const wholeSecond = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);
