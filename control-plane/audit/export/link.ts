import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../chain.ts';

/** Which file may be downloaded, and until when. */
export interface Grant {
  tenant: string;
  export_id: string;
  /** Seconds since 1970. */
  expires: number;
}

/** The address of a file, for whoever has it. */
export function linkTo(key: Uint8Array, base: string, grant: Grant): string {
  const { tenant, export_id, expires } = grant;
  const link = new URL(`/svc/v1/audit/export/${export_id}/download/`, base);
  link.search = String(
    new URLSearchParams({ tenant, expires: String(expires), signature: signatureOf(key, grant) }),
  );
  return link.href;
}

/** Was this signed here, and does it hold at `now`? */
export function isGranted(key: Uint8Array, grant: Grant, signature: string, now: number): boolean {
  const expected = Buffer.from(signatureOf(key, grant));
  const given = Buffer.from(signature);
  const matches = given.length === expected.length && timingSafeEqual(given, expected);
  return matches && now < grant.expires * 1000;
}

const signatureOf = (key: Uint8Array, { tenant, export_id, expires }: Grant): string =>
  keyedHash(key, ['download', tenant, export_id, expires]);
