import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../chain.ts';

/** The file that may be downloaded, and until when. */
export interface Grant {
  tenant: string;
  export_id: string;
  /** Seconds since 1970. */
  expires: number;
}

/** A signed download URL. */
export function linkTo(key: Uint8Array, base: string, grant: Grant): string {
  const { tenant, export_id, expires } = grant;
  const link = new URL(`/svc/v1/audit/export/${export_id}/download/`, base);
  link.search = String(
    new URLSearchParams({ tenant, expires: String(expires), signature: signatureOf(key, grant) }),
  );
  return link.href;
}

/** Is the signature ours and not expired at `now`? */
export function isGranted(key: Uint8Array, grant: Grant, signature: string, now: number): boolean {
  const expected = Buffer.from(signatureOf(key, grant));
  const actual = Buffer.from(signature);
  const matches = actual.length === expected.length && timingSafeEqual(actual, expected);
  return matches && now < grant.expires * 1000;
}

const signatureOf = (key: Uint8Array, { tenant, export_id, expires }: Grant): string =>
  keyedHash(key, ['download', tenant, export_id, expires]);
