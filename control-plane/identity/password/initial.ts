import { randomBytes } from 'node:crypto';

/** A random password: twenty characters, 120 bits. */
export const initialPassword = (): string => randomBytes(15).toString('base64url');
