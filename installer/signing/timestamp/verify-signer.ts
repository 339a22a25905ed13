import 'reflect-metadata';
import type { Attribute, SignerInfo } from '@peculiar/asn1-cms';
import * as x509 from '@peculiar/x509';
import { createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto';
import { type Element, readElements } from '#pki/cms/der.ts';
import { issuerAndSerial } from '#pki/cms/issuer-and-serial.ts';
import { InstallerError } from '../../installer-error.ts';

export interface SignedToken {
  signer: SignerInfo;
  /** As a SET, DER. */
  signedAttributes: Buffer;
  /** Issuer and serial number of its certificate, DER. */
  signerName: Buffer;
  content: Buffer;
  certificates: readonly Buffer[];
  /** The stated time. */
  time: Date;
}

const timestampPurpose = '1.3.6.1.5.5.7.3.8';

/** Throws InstallerError unless a timestamp authority, valid at that time, signed this content. */
export function verifySigner(token: SignedToken): void {
  const { signer, content } = token;
  const digest = hashOf(signer.digestAlgorithm.algorithm);
  const stated = attribute(signer, '1.2.840.113549.1.9.4');
  if (!stated?.content.equals(createHash(digest).update(content).digest())) {
    throw new InstallerError('the token was changed: its digest differs');
  }
  const certificate = findSigner(token);
  const signature = Buffer.from(signer.signature.buffer);
  const hash = signatureHash(signer, digest);
  if (!verify(hash, token.signedAttributes, certificate.publicKey, signature)) {
    throw new InstallerError('the token is not signed by its certificate');
  }
  checkBinding(signer, certificate);
  checkPurpose(certificate, token.time);
}

function findSigner({ signerName, certificates }: SignedToken): X509Certificate {
  const named = certificates.find((certificate) => issuerAndSerial(certificate).equals(signerName));
  if (named) return new X509Certificate(named);
  throw new InstallerError('the certificate that signed the token is not in it');
}

function attribute(signer: SignerInfo, type: string): Element | undefined {
  const match: Attribute | undefined = signer.signedAttrs?.find((one) => one.attrType === type);
  const [value] = match?.attrValues ?? [];
  return value ? readElements(new Uint8Array(value))[0] : undefined;
}

/** `signingCertificate` identifies the certificate by its hash; checked if it is present. */
function checkBinding(signer: SignerInfo, certificate: X509Certificate): void {
  const old = attribute(signer, '1.2.840.113549.1.9.16.2.12');
  const current = attribute(signer, '1.2.840.113549.1.9.16.2.47');
  for (const value of [old, current]) {
    if (!value) continue;
    const [list] = readElements(value.content);
    const [first] = readElements(list!.content);
    const parts = readElements(first!.content);
    const hash = parts.find(({ tag }) => tag === 0x04)!.content;
    const digest = hashOfLength.get(hash.length);
    const actual = digest && createHash(digest).update(certificate.raw).digest();
    if (!actual || !timingSafeEqual(actual, hash)) {
      throw new InstallerError('the token is signed for another certificate');
    }
  }
}

function checkPurpose(certificate: X509Certificate, time: Date): void {
  const purposes = new x509.X509Certificate(certificate.raw).getExtension(
    x509.ExtendedKeyUsageExtension,
  );
  const only = purposes?.usages.length === 1 && purposes.usages[0] === timestampPurpose;
  if (!only || !purposes.critical) {
    throw new InstallerError('the certificate that signed the token is not for timestamps');
  }
  if (time < certificate.validFromDate || time > certificate.validToDate) {
    throw new InstallerError('the certificate that signed the token was not in date');
  }
}

const hashOfLength = new Map([
  [20, 'sha1'],
  [32, 'sha256'],
  [48, 'sha384'],
  [64, 'sha512'],
]);

/** Without SHA-1, which inspection of the package would reject. */
const hashes = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

function hashOf(algorithm: string): string {
  const hash = hashes.get(algorithm);
  if (hash) return hash;
  throw new InstallerError(`the token's digest ${algorithm} is none of SHA-2`);
}

/** RSA (PKCS#1 v1.5) and ECDSA, by algorithms with and without a hash. */
const signatureHashes = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
]);
const rsaEncryption = '1.2.840.113549.1.1.1';

function signatureHash(signer: SignerInfo, digest: string): string {
  const { algorithm } = signer.signatureAlgorithm;
  const hash = algorithm === rsaEncryption ? digest : signatureHashes.get(algorithm);
  if (hash) return hash;
  throw new InstallerError(
    `the token's signature ${algorithm} is neither RSA nor ECDSA with SHA-2`,
  );
}
