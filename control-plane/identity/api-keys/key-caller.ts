import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { isEst } from '#contract/est.ts';
import type { Access } from '#contract/route.ts';
import type { Credential, KeyCaller } from '../../http/caller.ts';
import type { Context } from '../../context.ts';
import { hashApiKey } from '../../lib/api-key.ts';
import { privilegesOfKey, mayCall, permissionsFor } from '../permission-rules.ts';
import { touchApiKey } from './api-key-queries.ts';

const TOUCH_EVERY_MS = 60_000;

/**
 * Reads the API key from either header, or from the password of HTTP Basic, which is the only way
 * for standard enrollment clients to send it (RFC 7030). Basic passwords that are not our keys,
 * such as those for a proxy, are ignored.
 */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-svc-key'];
  if (typeof own === 'string') return own.trim();
  const { authorization = '' } = headers;
  const basic = /^Basic\s+(\S+)$/i.exec(authorization)?.[1];
  if (basic) return /:(svc_\w+)$/.exec(Buffer.from(basic, 'base64').toString())?.[1];
  return /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
}

const acceptedHeaders = (path: string): string =>
  isEst(path) ? 'as the password of HTTP Basic, or as bearer' : 'X-Svc-Key or bearer';

/** @throws ApiError `unauthorized`, the same for an unknown, expired or revoked key */
export async function credentialOfKey(
  context: Context,
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
): Promise<Credential<KeyCaller>> {
  const key = apiKeyOf(headers);
  if (!key)
    throw new ApiError('missing_credentials', `an API key is required: ${acceptedHeaders(url)}`);
  const now = context.now();
  const row = await context.findKey(hashApiKey(key));
  if (!row || !privilegesOfKey(row, now))
    throw new ApiError('invalid_credentials', 'the API key is unknown, expired or revoked');
  const caller = { tenantId: row.tenant_id, keyId: row.id, permissions: row.permissions };
  return {
    tenantId: row.tenant_id,
    async callerOf(access) {
      if ((row.last_used_at ?? 0) < now - TOUCH_EVERY_MS) {
        row.last_used_at = now;
        await context.storage.transaction((tx) => touchApiKey(tx, row, now));
      }
      refuseMissingPermission(caller, access);
      return caller;
    },
  };
}

function refuseMissingPermission({ permissions }: KeyCaller, access: Access): void {
  if (mayCall({ role: null, permissions }, access)) return;
  throw new ApiError(
    'missing_permission',
    `this API key lacks the permission "${permissionsFor(access)[0]}"`,
  );
}
