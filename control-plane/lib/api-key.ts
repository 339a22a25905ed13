import { hash, randomBytes } from 'node:crypto';

/** Generates an API key. Only its hash is stored; 32 random bytes need no slow hash. */
export const newApiKey = (): string => `svc_sk_${randomBytes(32).toString('hex')}`;

/**
 * Returns the parts of a key that may be shown, by which a leaked key can be identified in the
 * list.
 */
export const marksOfApiKey = (key: string): { prefix: string; last_four: string } => ({
  prefix: key.slice(0, 11),
  last_four: key.slice(-4),
});

export const hashApiKey = (key: string): string => hash('sha256', key);
