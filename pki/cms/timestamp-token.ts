import { AsnConvert } from '@peculiar/asn1-schema';
import { TSTInfo } from '@peculiar/asn1-tsp';
import { createHash } from 'node:crypto';
import { digestOf } from './algorithms.ts';
import { childAt, octetsOf, oidOf, tags } from './ber.ts';
import {
  mayDigitallySign,
  purposesOf,
  type Certificate,
  checkValidity,
  readCertificate,
} from './parsed-certificate.ts';
import { CmsError } from './cms-error.ts';
import { readSignedData } from './signed-data.ts';
import type { Signer } from './signer-info.ts';
import { findAttribute, signerOf, verifySigner } from './verify-signer.ts';

/** An RFC 3161 token, signed by the timestamp authority in its certificate. */
export interface TimestampToken {
  /** Milliseconds since 1970. */
  time: number;
  /** The nonce of the request. */
  nonce: Buffer | null;
  signer: Certificate;
  /** All included certificates, in no particular order. */
  certificates: Certificate[];
}

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const signingCertificate = {
  v1: '1.2.840.113549.1.9.16.2.12',
  v2: '1.2.840.113549.1.9.16.2.47',
} as const;

/**
 * Reads a token over a signature, and verifies its own signature and that its certificate was valid
 * and intended for timestamping at the stated time. Trust in that certificate is not checked.
 *
 * @throws CmsError
 */
export function readTimestampToken(token: Buffer, signature: Uint8Array): TimestampToken {
  const signed = readSignedData(token);
  if (signed.contentType !== TST_INFO || !signed.content || signed.length !== token.length)
    throw new CmsError('is not a timestamp token');
  const certificates = signed.certificates.map(readCertificate);
  const signer = signerOf(signed.signer, certificates);
  verifySigner(signed, signed.content, signer);
  checkSigningCertificate(signed.signer, signer);
  const info = readInfo(signed.content);
  checkImprint(info, signature);
  const time = info.genTime.getTime();
  const [wrong] = [...checkPurpose(signer), ...checkValidity(signer, time)];
  if (wrong) throw new CmsError(wrong);
  return { time, nonce: info.nonce ? Buffer.from(info.nonce) : null, signer, certificates };
}

function readInfo(content: Buffer): TSTInfo {
  try {
    return AsnConvert.parse(new Uint8Array(content), TSTInfo);
  } catch (error) {
    throw new CmsError('is damaged: it contains no timestamp information', { cause: error });
  }
}

function checkImprint({ messageImprint }: TSTInfo, signature: Uint8Array): void {
  const { hashAlgorithm, hashedMessage } = messageImprint;
  const digest = createHash(digestOf(hashAlgorithm.algorithm)).update(signature).digest();
  if (!digest.equals(Buffer.from(hashedMessage.buffer)))
    throw new CmsError('is for another signature');
}

/**
 * Returns a problem unless timestamping is the only purpose, is critical, and signing is allowed.
 */
function checkPurpose({ name, details }: Certificate): string[] {
  const purposes = purposesOf(details);
  if (!purposes?.critical || purposes.usages.length !== 1 || purposes.usages[0] !== TIME_STAMPING)
    return [`"${name}" is not exclusively for timestamping`];
  return mayDigitallySign(details) ? [] : [`"${name}" may not sign`];
}

/**
 * Checks that the certificate is the one that the token names, if any, so that no other certificate
 * for the same key can replace it.
 */
function checkSigningCertificate(signer: Signer, { x509 }: Certificate): void {
  const [v2, v1] = [
    findAttribute(signer, signingCertificate.v2),
    findAttribute(signer, signingCertificate.v1),
  ];
  const attribute = v2 ?? v1;
  if (!attribute) return;
  const id = childAt(childAt(attribute, 0, tags.sequence), 0, tags.sequence);
  const [first] = id.children;
  const stated = first?.tag === tags.sequence ? digestOf(oidOf(childAt(first, 0))) : 'sha256';
  const hash = childAt(id, first?.tag === tags.sequence ? 1 : 0, tags.octets);
  const digest = createHash(v2 ? stated : 'sha1')
    .update(x509.raw)
    .digest();
  if (!octetsOf(hash).equals(digest))
    throw new CmsError('its signing-certificate attribute names another certificate');
}
