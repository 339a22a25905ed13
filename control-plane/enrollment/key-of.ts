import { createHash, createPublicKey } from 'node:crypto';
import type { CsrFacts } from '#pki/csr.ts';

/** What tells one key from another: SHA-256 of the public key, as hexadecimal. */
export const keyOf = ({ publicKeyPem }: CsrFacts): string =>
  createHash('sha256')
    .update(createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' }))
    .digest('hex');
