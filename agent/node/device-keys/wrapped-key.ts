import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BEGIN = '-----BEGIN WRAPPED PRIVATE KEY-----';
const END = '-----END WRAPPED PRIVATE KEY-----';

/** The length in bytes of a key that wraps keys. */
export const WRAPPING_KEY_BYTES = 32;

export const isWrapped = (text: string): boolean => text.startsWith(BEGIN);

/**
 * Encrypts a private key with AES-256-GCM. `purpose` is authenticated, so that one wrapped key cannot
 * replace another one.
 */
export function wrapKey(pem: string, wrappingKey: Buffer, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, wrappingKey, nonce).setAAD(Buffer.from(purpose));
  const encrypted = Buffer.concat([cipher.update(pem, 'utf8'), cipher.final()]);
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [BEGIN, ...lines, END, ''].join('\n');
}

/** Returns the private key as PEM; null if it is damaged or was wrapped with another key. */
export function unwrapKey(text: string, wrappingKey: Buffer, purpose: string): string | null {
  const bytes = Buffer.from(text.replace(BEGIN, '').replace(END, ''), 'base64');
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, wrappingKey, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
    const encrypted = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString();
  } catch {
    return null;
  }
}
