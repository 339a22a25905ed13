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

/** A new key. Only its hash is stored; 32 random bytes need no slow hash. */
export const newApiKey = (): string => `svc_sk_${randomBytes(32).toString('hex')}`;

export const hashApiKey = (key: string): string => hash('sha256', key);

/**
 * Either header form carries a key. So does the password of HTTP Basic, which is all that standard
 * clients of enrollment can send (RFC 7030); a proxy's own passwords are none of ours.
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

/** @throws ApiError `unauthorized` without saying whether the key is unknown, expired or revoked */
export async function callerOfKey(
  context: Context,
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
): Promise<KeyCaller> {
  const key = apiKeyOf(headers);
  if (!key) throw new ApiError('unauthorized', `an API key is required: ${waysTo(url)}`);
  const now = context.now();
  const found = await context.findKey(hashApiKey(key));
  if (!found || !holderOfKey(found, now))
    throw new ApiError('unauthorized', 'the API key is unknown, expired or revoked');
  await refuseSuspended(context.storage, found.tenant_id);
  if ((found.last_used_at ?? 0) < now - TOUCH_EVERY_MS) {
    found.last_used_at = now;
    await touchApiKey(context.storage.db, found, now);
  }
  return {
    tenantId: found.tenant_id,
    keyId: found.id,
    permissions: found.permissions,
  };
}
