import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createHashingThread } from './hashing-thread.ts';
import { scryptCost } from './scrypt-cost.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * The only hashing thread of the process, because a second one would double the cost of signing in.
 */
const hashOnThread = createHashingThread();

/** Formats a hash as `scrypt$<salt>$<hash>`, both base64url. */
const stored = (salt: Uint8Array, hash: Uint8Array): string =>
  ['scrypt', ...[salt, hash].map((bytes) => Buffer.from(bytes).toString('base64url'))].join('$');

/** A hash that matches no password, and takes as long to verify as any other. */
export const unmatchableHash = stored(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

const derive = (password: string, salt: Uint8Array): Promise<Uint8Array> =>
  hashOnThread({
    password: password.normalize('NFKC'),
    salt,
    length: HASH_BYTES,
    cost: scryptCost,
  });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return stored(salt, await derive(password, salt));
}

export async function verifyPassword(password: string, storedHash: string): Promise<boolean> {
  const [, salt = '', hash = ''] = storedHash.split('$');
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Returns a random password with twenty characters, 120 bits. */
export const initialPassword = (): string => randomBytes(15).toString('base64url');
