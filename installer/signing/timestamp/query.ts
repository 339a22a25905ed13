import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, TimeStampReq, TimeStampReqVersion } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { createHash, randomBytes } from 'node:crypto';

export const sha256 = '2.16.840.1.101.3.4.2.1';

/** A request for a timestamp, and what its answer must repeat. */
export interface TimestampQuery {
  der: Uint8Array<ArrayBuffer>;
  /** The SHA-256 of what is stamped. */
  imprint: Buffer;
  nonce: Buffer;
}

/** Asks (RFC 3161) for a token over a signature, with the certificate of who makes it. */
export function createQuery(signature: Uint8Array): TimestampQuery {
  const imprint = createHash('sha256').update(signature).digest();
  const nonce = createNonce();
  const request = new TimeStampReq({
    version: TimeStampReqVersion.v1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha256, parameters: null }),
      hashedMessage: new OctetString(imprint),
    }),
    nonce: new Uint8Array(nonce).buffer,
    certReq: true,
  });
  return { der: new Uint8Array(AsnConvert.serialize(request)), imprint, nonce };
}

/** A positive INTEGER that no encoder shortens: the first byte is neither 0 nor above 127. */
function createNonce(): Buffer {
  const bytes = randomBytes(8);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}
