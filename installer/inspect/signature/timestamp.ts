import { TSTInfo } from '@peculiar/asn1-tsp';
import { AsnConvert } from '@peculiar/asn1-schema';
import { createHash } from 'node:crypto';
import { InstallerError } from '../../installer-error.ts';
import { digestOf } from './algorithms.ts';
import { childAt, octetsOf, oidOf, tags } from './ber.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { type Chain, checkChain } from './chain.ts';
import { findChain } from './find-chain.ts';
import { checkTimestampPurpose } from './purpose.ts';
import { readSignedData, type SignedData } from './signed-data.ts';
import type { Signer } from './signer-info.ts';
import type { Trust } from './trust.ts';
import { findAttribute, signerOf, verifySigner } from './verify-signer.ts';

export interface Timestamp {
  /** Milliseconds since 1970. */
  time: number;
  /** The timestamp authority first, the trust anchor last. */
  chain: Chain;
  /** Included certificates that are not part of the chain. */
  unused: Certificate[];
}

const tstInfo = '1.2.840.113549.1.9.16.1.4';
const signingCertificate = {
  v1: '1.2.840.113549.1.9.16.2.12',
  v2: '1.2.840.113549.1.9.16.2.47',
} as const;
/** Tolerated clock difference; a timestamp further in the future is rejected. */
const clockSkew = 5 * 60_000;

/**
 * Verifies an RFC 3161 token over a signature. `now` is milliseconds since 1970. Throws
 * InstallerError naming the problem.
 */
export function verifyTimestamp(
  token: Buffer,
  signature: Buffer,
  { trust, now }: { trust: Trust; now: number },
): Timestamp {
  const signed = readSignedData(token);
  if (signed.contentType !== tstInfo || !signed.content || signed.length !== token.length)
    throw new InstallerError('is not a timestamp token');
  const certificates = signed.certificates.map(readCertificate);
  const signer = signerOf(signed.signer, certificates);
  verifySigner(signed, signed.content, signer);
  checkSigningCertificate(signed.signer, signer);
  const time = readTime(signed.content, signature);
  if (time > now + clockSkew)
    throw new InstallerError(`is dated ${new Date(time).toISOString()}, in the future`);
  const hindrances = (candidate: Chain) => checkChain(candidate, time);
  const chain = findChain(signer, { candidates: certificates, trust, hindrances });
  const [wrong] = [...checkTimestampPurpose(signer), ...hindrances(chain)];
  if (wrong) throw new InstallerError(wrong);
  const used = new Set(chain.map(({ x509 }) => x509.fingerprint256));
  return { time, chain, unused: certificates.filter(({ x509 }) => !used.has(x509.fingerprint256)) };
}

/** The time, if the token is for this signature. */
function readTime(content: NonNullable<SignedData['content']>, signature: Buffer): number {
  const info = AsnConvert.parse(new Uint8Array(content), TSTInfo);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const digest = createHash(digestOf(hashAlgorithm.algorithm)).update(signature).digest();
  if (!digest.equals(Buffer.from(hashedMessage.buffer)))
    throw new InstallerError('is for another signature');
  return info.genTime.getTime();
}

/**
 * The token names its own certificate, so that no other certificate for the same key can replace
 * it.
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
    throw new InstallerError("names another certificate as its signer's");
}
