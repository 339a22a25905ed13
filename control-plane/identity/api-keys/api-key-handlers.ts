import { apiKeyLock } from '../../storage/locks.ts';
import { z } from 'zod';
import { apiKey, type apiKeyRoutes } from '#contract/api-keys.ts';
import { ApiError } from '#contract/errors.ts';
import type { Permission } from '#contract/route.ts';
import { withAudit } from '../../audit/with-audit.ts';
import type { Context } from '../../context.ts';
import type { AdminCaller } from '../../http/caller.ts';
import type { Handlers } from '../../handler.ts';
import { refuseExcessGrant } from '../refuse-excess-grant.ts';
import type { CurrentPrivileges } from '../permission-rules.ts';
import { displayNameOf, refuseSubUser } from '../is-sub-user.ts';
import { hashApiKey, marksOfApiKey, newApiKey } from '../../lib/api-key.ts';
import { changeApiKey, findApiKeyById, insertApiKey, listApiKeys } from './api-key-queries.ts';
import { endOfOverlap, expiryOfSuccessor } from './api-key-rules.ts';

/**
 * Handlers for API keys. Changes are audited in the form that the list returns, without the key
 * itself.
 */
export const apiKeyHandlers: Handlers<typeof apiKeyRoutes> = {
  async listApiKeys(context, { caller }) {
    const results = await listApiKeys(context.storage.db, caller.tenantId);
    return { results, count: results.length };
  },

  createApiKey(context, request) {
    const { name, permissions, expires_at = null } = request.body;
    if (expires_at !== null && expires_at <= context.now())
      throw new ApiError('validation_error', 'expires_at: expected a time in the future');
    const { key, record } = newRecord(context, request.caller, {
      name,
      permissions: JSON.stringify(permissions),
      profile_hosts: null,
      expires_at,
    });
    return withAudit(context, request, async (tx, audit) => {
      refuseLonger(
        await refuseExcessGrant(tx.db, context, request.caller, { permissions }),
        expires_at,
      );
      await insertApiKey(tx, record);
      audit({ ...change('create', record), after: apiKeyView(record) });
      return { ...record, key };
    });
  },

  async rotateApiKey(context, request) {
    const { caller, params, body } = request;
    const answer = await withAudit(context, request, async (tx, audit) => {
      await tx.lock(apiKeyLock(params.id));
      const old = await findApiKeyById(tx.db, caller.tenantId, params.id);
      if (!old) throw unknown(params.id);
      const permissions = JSON.parse(old.permissions) as Permission[];
      const maker = await refuseExcessGrant(tx.db, context, caller, { permissions });
      const { expires_at, key, record } = successorOf(context, caller, old, body.overlap_seconds);
      refuseLonger(maker, record.expires_at);
      await insertApiKey(tx, record);
      await changeApiKey(tx, old, { expires_at, replaced_by: record.id });
      audit({
        ...change('rotate', old),
        before: apiKeyView(old),
        after: apiKeyView({ ...old, expires_at }),
        metadata: { replaced_by: apiKeyView(record) },
      });
      return { ...record, key, replaces: { id: old.id, expires_at } };
    });
    forget(context, caller);
    return answer;
  },

  async revokeApiKey(context, request) {
    const { caller, params } = request;
    // Otherwise a sub-user could revoke the key that issued its own token, and other keys.
    refuseSubUser(caller);
    await withAudit(context, request, async (tx, audit) => {
      const key = await findApiKeyById(tx.db, caller.tenantId, params.id);
      if (!key) throw unknown(params.id);
      if (key.revoked_at !== null) return;
      const revoked = { ...key, revoked_at: context.now() };
      await changeApiKey(tx, key, { revoked_at: revoked.revoked_at });
      audit({
        ...change('revoke', key),
        before: apiKeyView(key),
        after: apiKeyView(revoked),
      });
    });
    forget(context, caller);
    return undefined;
  },
};

type Row = NonNullable<Awaited<ReturnType<typeof findApiKeyById>>>;

function newRecord(
  context: Context,
  caller: AdminCaller,
  settings: Pick<Row, 'name' | 'permissions' | 'profile_hosts' | 'expires_at'>,
): { key: string; record: Row } {
  const key = newApiKey();
  const record = {
    tenant_id: caller.tenantId,
    id: context.newId('key'),
    hash: hashApiKey(key),
    ...marksOfApiKey(key),
    created_by: displayNameOf(caller),
    created_at: context.now(),
    last_used_at: null,
    revoked_at: null,
    replaced_by: null,
    ...settings,
  };
  return { key, record };
}

/**
 * Creates the replacement of a key, and computes when the old key expires.
 *
 * @throws ApiError `conflict`
 */
function successorOf(context: Context, caller: AdminCaller, old: Row, overlapSeconds: number) {
  const now = context.now();
  const expires_at = endOfOverlap(old, now, overlapSeconds * 1000);
  if (old.revoked_at !== null || (old.expires_at ?? Infinity) <= now)
    throw new ApiError('invalid_state', 'a revoked or expired API key cannot be rotated');
  if (old.replaced_by !== null)
    throw new ApiError(
      'invalid_state',
      `this API key has already been replaced by ${old.replaced_by}`,
    );
  const { name, permissions, profile_hosts } = old;
  const settings = { name, permissions, profile_hosts, expires_at: expiryOfSuccessor(old, now) };
  return { expires_at, ...newRecord(context, caller, settings) };
}

/**
 * Refuses a key that would outlive the key that creates it.
 *
 * @throws ApiError `validation_error` that names the field
 */
function refuseLonger({ until }: CurrentPrivileges, expiresAt: number | null): void {
  if ((expiresAt ?? Infinity) <= until) return;
  throw new ApiError(
    'validation_error',
    `expires_at: expected no later than ${new Date(until).toISOString()}, when your own API key expires`,
  );
}

/** Evicts the key from the caches of all processes. */
const forget = ({ storage }: Context, { tenantId }: AdminCaller): void =>
  storage.signals.publish({ tenant_id: tenantId, topic: 'keys' });

const unknown = (id: string): ApiError => new ApiError('not_found', `there is no API key ${id}`);

const apiKeyView = (row: Row) => z.encode(apiKey, row);

const change = (verb: string, { id }: { id: string }) => ({
  action: `api_key.${verb}`,
  resource_type: 'api_key',
  resource_id: id,
});
