import { createHash, sign, type KeyObject } from 'node:crypto';
import {
  nullElement,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  smallInteger,
  tagged,
  taggedSetOf,
  time,
} from './der.ts';
import { issuerAndSerial } from './parsed-certificate.ts';

/** A signer, with the certificates to include as DER, the signer's own first. */
export interface CmsSigner {
  /** A private RSA key. */
  key: KeyObject;
  chain: readonly Uint8Array[];
  /** Claimed by the signer and not a proof, in milliseconds since 1970. */
  signingTime: number;
  /**
   * Returns an RFC 3161 token (DER) over the SHA-256 of the signature value, which proves when the
   * signature existed. Without a token, the signature is valid only as long as the certificate.
   */
  timestamp?: (signature: Uint8Array) => Promise<Uint8Array>;
}

const oid = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
  rsaEncryption: '1.2.840.113549.1.1.1',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

/** Creates a detached CMS signature: RSA with SHA-256, as DER. */
export function signDetached(content: Uint8Array, signer: CmsSigner): Promise<Buffer> {
  return signData(content, signer, sequence(objectIdentifier(oid.data)));
}

/** Creates a CMS signature with byte-for-byte encapsulated content: RSA with SHA-256, as DER. */
export function signEncapsulated(content: Uint8Array, signer: CmsSigner): Promise<Buffer> {
  const inside = sequence(objectIdentifier(oid.data), tagged(0, octetString(content)));
  return signData(content, signer, inside);
}

async function signData(content: Uint8Array, signer: CmsSigner, contentInfo: Buffer) {
  const signedData = sequence(
    smallInteger(1),
    setOf(algorithm(oid.sha256)),
    contentInfo,
    taggedSetOf(0, ...signer.chain),
    setOf(await signerInfo(content, signer)),
  );
  return sequence(objectIdentifier(oid.signedData), tagged(0, signedData));
}

async function signerInfo(content: Uint8Array, signer: CmsSigner): Promise<Buffer> {
  const attributes = [
    attribute(oid.contentType, objectIdentifier(oid.data)),
    attribute(oid.signingTime, time(signer.signingTime)),
    attribute(oid.messageDigest, octetString(createHash('sha256').update(content).digest())),
  ];
  // The signed bytes have the tag of a SET, the encoded attributes have the tag [0] (RFC 5652,
  // 5.4).
  const signature = sign('sha256', setOf(...attributes), signer.key);
  const token = await signer.timestamp?.(signature);
  return sequence(
    smallInteger(1),
    issuerAndSerial(signer.chain[0]!),
    algorithm(oid.sha256),
    taggedSetOf(0, ...attributes),
    algorithm(oid.rsaEncryption),
    octetString(signature),
    ...(token ? [taggedSetOf(1, attribute(oid.timestampToken, token))] : []),
  );
}

function attribute(type: string, value: Uint8Array): Buffer {
  return sequence(objectIdentifier(type), setOf(value));
}

function algorithm(name: string): Buffer {
  return sequence(objectIdentifier(name), nullElement());
}
