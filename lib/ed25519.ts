import { createPrivateKey, createPublicKey } from 'node:crypto';

/** The encodings of a private and a public key before their 32 bytes (RFC 8410, 7 and 4). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_LENGTH = 12;

/** The public key of Ed25519 (RFC 8032, 5.1.5) for a private key of 32 bytes. */
export function ed25519PublicKey(privateKey: Uint8Array): Uint8Array {
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE, privateKey]),
    format: 'der',
    type: 'pkcs8',
  });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_LENGTH);
}
