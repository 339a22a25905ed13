import { createHash, createPublicKey } from 'node:crypto';
import type { CsrFacts } from '#pki/csr.ts';

/** Identifies a key: SHA-256 of the public key, in hex. */
export const keyOf = ({ publicKeyPem }: CsrFacts): string =>
  createHash('sha256')
    .update(createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' }))
    .digest('hex');
