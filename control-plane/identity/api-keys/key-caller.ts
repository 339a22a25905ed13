import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { isEst } from '#contract/est.ts';
import type { Context } from '../../context.ts';
import type { KeyCaller } from '../../http/caller.ts';
import { refuseSuspended } from '../../tenancy/tenant-limits.ts';
import { holderOfKey } from '../permission-rules.ts';
import { touchApiKey } from '../queries.ts';

const TOUCH_EVERY_MS = 60_000;

/** Generates an API key. Only its hash is stored; 32 random bytes need no slow hash. */
export const newApiKey = (): string => `svc_sk_${randomBytes(32).toString('hex')}`;

export const hashApiKey = (key: string): string => hash('sha256', key);

/**
 * Reads the API key from either header, or from the password of HTTP Basic, which is all that
 * standard enrollment clients can send (RFC 7030). Basic passwords that are not our keys, such as
 * those of a proxy, are ignored.
 */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-svc-key'];
  if (typeof own === 'string') return own.trim();
  const { authorization = '' } = headers;
  const basic = /^Basic\s+(\S+)$/i.exec(authorization)?.[1];
  if (basic) return /:(svc_\w+)$/.exec(Buffer.from(basic, 'base64').toString())?.[1];
  return /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
}

const waysTo = (path: string): string =>
  isEst(path) ? 'as the password of HTTP Basic, or as bearer' : 'X-Svc-Key or bearer';

/**
 * @throws ApiError `unauthorized`, the same for an unknown, expired or revoked key
 */
export async function callerOfKey(
  context: Context,
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
): Promise<KeyCaller> {
  const key = apiKeyOf(headers);
  if (!key) throw new ApiError('unauthorized', `an API key is required: ${waysTo(url)}`);
  const now = context.now();
  const row = await context.findKey(hashApiKey(key));
  if (!row || !holderOfKey(row, now))
    throw new ApiError('unauthorized', 'the API key is unknown, expired or revoked');
  await refuseSuspended(context.storage, row.tenant_id);
  if ((row.last_used_at ?? 0) < now - TOUCH_EVERY_MS) {
    row.last_used_at = now;
    await touchApiKey(context.storage.db, row, now);
  }
  return {
    tenantId: row.tenant_id,
    keyId: row.id,
    permissions: row.permissions,
  };
}
