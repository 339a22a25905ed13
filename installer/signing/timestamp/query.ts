import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, TimeStampReq, TimeStampReqVersion } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { createHash, randomBytes } from 'node:crypto';

const SHA256 = '2.16.840.1.101.3.4.2.1';

/** A timestamp request, and the values that its response must repeat. */
export interface TimestampQuery {
  der: Uint8Array<ArrayBuffer>;
  /** The timestamped bytes. */
  signature: Uint8Array;
  nonce: Buffer;
}

/**
 * Creates an RFC 3161 request for a token over a signature, including the authority's certificate.
 */
export function createQuery(signature: Uint8Array): TimestampQuery {
  const imprint = createHash('sha256').update(signature).digest();
  const nonce = createNonce();
  const request = new TimeStampReq({
    version: TimeStampReqVersion.v1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA256, parameters: null }),
      hashedMessage: new OctetString(imprint),
    }),
    nonce: new Uint8Array(nonce).buffer,
    certReq: true,
  });
  return { der: new Uint8Array(AsnConvert.serialize(request)), signature, nonce };
}

/** Creates a positive INTEGER with minimal encoding, whose first byte is therefore in 1–127. */
function createNonce(): Buffer {
  const bytes = randomBytes(8);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}
