import { hash } from 'node:crypto';

/** SHA-256 (FIPS 180-4). */
export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
