import { checkInterceptHosts } from '#agent/core/host-catalog.ts';
import { z } from 'zod';
import { apiKey } from '#contract/api-keys.ts';
import type { deploymentRoutes } from '#contract/deployment.ts';
import { ApiError } from '#contract/errors.ts';
import { changing } from '../../audit/changing.ts';
import type { Handlers } from '../../http/call.ts';
import { hashApiKey, newApiKey } from '../../identity/key-caller.ts';
import { insertApiKey } from '../../identity/queries.ts';
import { findAuthority } from '../enrollment/queries.ts';

export const deploymentHandlers: Handlers<typeof deploymentRoutes> = {
  /**
   * Every local user of a managed computer can read the profile, so it carries a key of its own
   * that can only enroll. The key remembers the profile's hosts: a device that edits its copy
   * gains nothing.
   */
  async getMdmProfile(context, call) {
    const { caller, query, setHeader } = call;
    const { app } = context.config;
    const hosts = checkedHosts(query.hosts);
    const root = await findAuthority(context.storage.db, caller.tenantId);
    const secret = newApiKey();
    const now = context.now();
    const key = {
      tenant_id: caller.tenantId,
      id: context.newId('key'),
      name: `Profile of ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      hash: hashApiKey(secret),
      permissions: JSON.stringify(['enroll']),
      profile_hosts: JSON.stringify(hosts),
      created_at: now,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    };
    await changing(context, call, async (trx, audit) => {
      await insertApiKey(trx, key);
      await audit({
        action: 'api_key.create',
        resource_type: 'api_key',
        resource_id: key.id,
        after: z.encode(apiKey, key),
        metadata: { profile_hosts: hosts },
      });
    });
    // Property lists bring a parser with them that nothing else here needs.
    const { buildProfile } = await import('#profile-builder/profile.ts');
    setHeader('Content-Disposition', `attachment; filename="${app.name}.mobileconfig"`);
    setHeader('Cache-Control', 'no-store');
    return buildProfile({
      apiUrl: context.urls.device,
      apiKey: secret,
      rootCertificates: [root.certificate],
      hosts,
      appName: app.name,
      bundleId: app.bundleId,
      teamId: app.teamId,
    });
  },
};

function checkedHosts(list: string | undefined): string[] {
  if (list === undefined) return [];
  const named = list
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean);
  if (named.length === 0)
    throw new ApiError('validation_error', 'hosts: expected hostnames separated by commas');
  const { hosts, unknown, refused } = checkInterceptHosts(named);
  const bad = [...refused, ...unknown];
  if (bad.length > 0)
    throw new ApiError(
      'validation_error',
      `hosts: not in the catalog of AI hosts: ${bad.join(', ')}`,
      { hosts: bad },
    );
  return hosts;
}
