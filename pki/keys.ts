import { createPrivateKey, createPublicKey, generateKeyPair as generate } from 'node:crypto';
import { promisify } from 'node:util';

export interface KeyPair {
  /** In SPKI format. */
  publicKeyPem: string;
  /** In PKCS#8 format, not encrypted. */
  privateKeyPem: string;
}

/** The only algorithm of generated keys, because a Secure Enclave supports no other. */
export const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
export const signatureAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Generates an ECDSA P-256 key pair. */
export async function generateKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await promisify(generate)('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKeyPem: publicKey, privateKeyPem: privateKey };
}

/** @throws Error with a one-line message, without key material, unless it is a P-256 private key */
export function importSigningKey(privateKeyPem: string): CryptoKey {
  try {
    // Extractable, because only such keys can be converted back to a KeyObject
    // (`immediate-crypto.ts`).
    return createPrivateKey(privateKeyPem).toCryptoKey(keyAlgorithm, true, ['sign']) as CryptoKey;
  } catch {
    throw new Error('private key: expected a PKCS#8 PEM of an ECDSA P-256 key');
  }
}

/** @throws Error with a one-line message unless it is a P-256 public key */
export function importVerifyingKey(publicKeyPem: string): CryptoKey {
  try {
    return createPublicKey(publicKeyPem).toCryptoKey(keyAlgorithm, true, ['verify']) as CryptoKey;
  } catch {
    throw new Error('public key: expected an SPKI PEM of an ECDSA P-256 key');
  }
}
