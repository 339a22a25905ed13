import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Credential, KeyCaller } from '../http/caller.ts';
import type { Context } from '../context.ts';
import { apiKeyOf } from '../identity/api-keys/key-caller.ts';
import { hashApiKey } from '../lib/api-key.ts';
import { randomBytes } from 'node:crypto';
import { DAY_MS } from '#lib/time-units.ts';

/**
 * The prefix of recording keys, which is also among the formats that are redacted from captured
 * content.
 */
export const RECORDING_KEY_PREFIX = 'svc_sd_';

const RENEW_AFTER = 7 * DAY_MS;
/**
 * The lifetime of a key, because a program that started with it may continue to run after it was
 * replaced.
 */
const LASTS = 21 * DAY_MS;

/** Generates a key. Only its hash is stored; 32 random bytes need no slow hash. */
export function newRecordingKey(now: number) {
  const key = `${RECORDING_KEY_PREFIX}${randomBytes(32).toString('hex')}`;
  return { key, hash: hashApiKey(key), renew_at: now + RENEW_AFTER, expires_at: now + LASTS };
}

/** Reads a recording key from any of the headers that accept API keys. */
export function recordingKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const presented = apiKeyOf(headers);
  return presented?.startsWith(RECORDING_KEY_PREFIX) ? presented : undefined;
}

/**
 * Authenticates a coding agent by the key of its device.
 *
 * @throws ApiError `unauthorized`, the same for a key that is unknown, expired, of a revoked
 * device, or of a device where Guard has coding agents off
 */
export async function credentialOfRecordingKey(
  context: Context,
  key: string,
): Promise<Credential<KeyCaller>> {
  const found = await context.findRecordingKey(hashApiKey(key));
  if (!found || found.expiresAt <= context.now())
    throw new ApiError(
      'invalid_credentials',
      'the recording key is unknown, expired or switched off',
    );
  const { id: keyId, tenantId, deviceId, userGroup, user, level } = found;
  return {
    tenantId,
    callerOf(access) {
      if (!access.recordingKeys)
        throw new ApiError(
          'missing_permission',
          'a recording key of a device may only export telemetry',
        );
      const device = { deviceId, userGroup, user, level };
      return { tenantId, keyId, permissions: ['record'], device };
    },
  };
}
