import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import type { Credential } from '../../http/caller.ts';
import { keyedHash } from '../chain.ts';

/** The file that may be downloaded, and until when. */
export interface Grant {
  tenant: string;
  export_id: string;
  /** In seconds since 1970. */
  expires: number;
}

/** Returns a signed download URL. */
export function signedExportUrl(key: Uint8Array, base: string, grant: Grant): string {
  const { tenant, export_id, expires } = grant;
  const link = new URL(`/svc/v1/audit/export/${export_id}/download/`, base);
  link.search = String(
    new URLSearchParams({ tenant, expires: String(expires), signature: signatureOf(key, grant) }),
  );
  return link.href;
}

/**
 * Returns the credential of a link, which grants one file of its tenant.
 *
 * @throws ApiError `invalid_link`
 */
export function credentialOfLink(
  { secrets, now }: Pick<Context, 'secrets' | 'now'>,
  { signature, ...grant }: Grant & { signature: string },
): Credential<string> {
  if (!isValidGrant(secrets.auditKey, grant, signature, now()))
    throw new ApiError('invalid_link', 'this link is invalid or has expired: request a new one');
  return { tenantId: grant.tenant, callerOf: () => grant.tenant };
}

/** Whether the signature is ours and has not expired at `now`. */
export function isValidGrant(
  key: Uint8Array,
  grant: Grant,
  signature: string,
  now: number,
): boolean {
  const expected = Buffer.from(signatureOf(key, grant));
  const actual = Buffer.from(signature);
  const matches = actual.length === expected.length && timingSafeEqual(actual, expected);
  return matches && now < grant.expires * 1000;
}

const signatureOf = (key: Uint8Array, { tenant, export_id, expires }: Grant): string =>
  keyedHash(key, ['download', tenant, export_id, expires]);
