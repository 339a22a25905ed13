import type { BerNode } from '#pki/cms/ber.ts';
import { type Certificate, readCertificate } from '#pki/cms/parsed-certificate.ts';
import { readSignedData, type SignedData } from '#pki/cms/signed-data.ts';
import { findAttribute, signerOf, verifySigner } from '#pki/cms/verify-signer.ts';
import { InstallerError } from '../../installer-error.ts';

/** A verified CMS signature of a package. */
export interface PackageCms {
  signer: Certificate;
  /** All included certificates. This set is not signed. */
  certificates: Certificate[];
  signature: Buffer;
  /** The algorithm in the format `rsa with sha256`. */
  algorithm: string;
  /** Claimed by the signer, in ISO 8601. */
  signingTime: string | null;
  /** The RFC 3161 token, not verified yet. */
  token: Buffer | null;
}

const oids = {
  data: '1.2.840.113549.1.7.1',
  signingTime: '1.2.840.113549.1.9.5',
  timestamp: '1.2.840.113549.1.9.16.2.14',
};
const GENERALIZED_TIME = 0x18;

/**
 * Verifies the detached CMS over the checksum. Zeros may follow, because the slot is sized before
 * the signature exists.
 *
 * @throws Error naming the problem
 */
export function verifyCms(slot: Buffer, checksum: Buffer): PackageCms {
  const signed = readSignedData(slot);
  if (slot.subarray(signed.length).some((byte) => byte !== 0))
    throw new InstallerError('non-zero bytes follow it');
  if (signed.contentType !== oids.data || signed.content !== null)
    throw new InstallerError('is not a detached signature');
  const certificates = signed.certificates.map(readCertificate);
  const signer = signerOf(signed.signer, certificates);
  const { key, digest } = verifySigner(signed, checksum, signer);
  const time = findAttribute(signed.signer, oids.signingTime);
  return {
    signer,
    certificates,
    signature: signed.signer.signature,
    algorithm: `${key} with ${digest}`,
    signingTime: time ? readTime(time) : null,
    token: readToken(signed),
  };
}

/**
 * Reads the timestamp token from the unsigned attributes. A token has its own signature; other
 * attributes have none.
 */
function readToken({ signer: { unsignedAttributes } }: SignedData): Buffer | null {
  const [first, ...more] = unsignedAttributes;
  if (!first) return null;
  const [value, ...others] = first.values;
  if (first.type !== oids.timestamp || more.length > 0 || !value || others.length > 0)
    throw new InstallerError('has unsigned attributes other than one timestamp');
  return value.raw;
}

/** Parses UTCTime (two-digit year, 1950 to 2049) or GeneralizedTime. */
function readTime(node: BerNode): string {
  const text = node.content.toString('latin1');
  const full = node.tag === GENERALIZED_TIME ? text : (text < '50' ? '20' : '19') + text;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(full);
  const [, year, month, day, hour, minute, second] = parts ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (!parts || Number.isNaN(time.getTime()))
    throw new InstallerError('its signing time is invalid');
  return time.toISOString();
}
