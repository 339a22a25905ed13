import { z } from 'zod';
import { apiKey } from '#contract/api-keys.ts';
import type { ProfileInput } from '#profile-builder/profile-input.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { AdminCaller } from '../http/caller.ts';
import type { Context } from '../context.ts';
import { hashApiKey, marksOfApiKey } from '../lib/api-key.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import { refuseExcessGrant } from '../identity/refuse-excess-grant.ts';
import { insertApiKey } from '../identity/api-keys/api-key-queries.ts';

export type ByAdmin = Parameters<typeof withAudit>[1] & { caller: AdminCaller };

/** What an administrator chooses for a profile. */
export type ProfileOptions = Pick<
  ProfileInput,
  'hosts' | 'payloads' | 'codingAgents' | 'toolChecks'
>;

const permissions = ['enroll'] as const;

/**
 * Checks that the caller may create the key of a profile.
 *
 * @throws ApiError `forbidden`
 */
export const refuseWithoutEnroll = async (context: Context, caller: AdminCaller): Promise<void> =>
  void (await refuseExcessGrant(context.storage.db, context, caller, { permissions }));

/**
 * Stores the key of a profile. Every local user of a managed computer can read the profile, so its
 * key can only enroll, and expires no later than the key that fetches the profile. The key stores
 * the profile's hosts, so that a device does not gain anything from an edited copy of the profile.
 *
 * @throws ApiError `forbidden` if the caller may not create such a key
 */
export async function storeEnrollKey(
  context: Context,
  request: ByAdmin,
  { secret, ...profile }: ProfileOptions & { secret: string },
): Promise<void> {
  const now = context.now();
  const fields = {
    tenant_id: request.caller.tenantId,
    id: context.newId('key'),
    name: `Profile of ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    hash: hashApiKey(secret),
    ...marksOfApiKey(secret),
    created_by: displayNameOf(request.caller),
    permissions: JSON.stringify(permissions),
    profile_hosts: JSON.stringify(profile.hosts),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  };
  await withAudit(context, request, async (tx, audit) => {
    const { until } = await refuseExcessGrant(tx.db, context, request.caller, { permissions });
    const key = { ...fields, expires_at: until === Infinity ? null : until };
    await insertApiKey(tx, key);
    audit({
      action: 'api_key.create',
      resource_type: 'api_key',
      resource_id: key.id,
      after: z.encode(apiKey, key),
      metadata: {
        profile_hosts: profile.hosts,
        payloads: profile.payloads ?? 'standard',
        coding_agents: profile.codingAgents ?? 'none',
        tool_checks: profile.toolChecks ?? 'none',
      },
    });
  });
}
