import { type Actor, writeAudit } from '../audit/with-audit.ts';
import type { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { permissions } from '#contract/route.ts';
import type { newSubTenant, Quotas } from '#contract/sub-tenants.ts';
import { createRoot } from '#pki/authority.ts';
import type { Context } from '../context.ts';
import { hashApiKey, marksOfApiKey, newApiKey } from '../lib/api-key.ts';
import type { Tx } from '../storage/transaction.ts';
import {
  findTenantAndAncestors,
  insertTenant,
  listSlugs,
  type NewTenant,
  type Tenant,
} from '../tenants/queries.ts';
import { refuseConflict, refuseDuplicateExternalId } from './conflicts.ts';
import { MAX_DEPTH, effectiveQuotasOf, slugOf } from './rules.ts';

type SubTenantRequest = z.output<typeof newSubTenant>;

/** Prepares the keys of a sub-tenant before the transaction, because generating them takes time. */
export async function prepareSubTenant(context: Context) {
  const id = context.newId('st');
  const now = context.now();
  // Each root has a unique name, because devices may trust several.
  const name = `${context.config.app.name} Root CA ${id}`;
  return { id, now, apiKey: newApiKey(), root: await createRoot({ name, now }) };
}

/** @throws ApiError `conflict` or `quota_exceeded` */
export async function createSubTenant(
  tx: Tx,
  context: Context,
  parentId: string,
  request: SubTenantRequest,
  prepared: Awaited<ReturnType<typeof prepareSubTenant>>,
): Promise<Tenant> {
  const lineage = await findTenantAndAncestors(tx.db, parentId);
  if (lineage.length >= MAX_DEPTH)
    throw new ApiError(
      'depth_limit_reached',
      `sub-tenants can be nested at most ${MAX_DEPTH - 1} deep`,
    );
  refuseConflict(request.quotas ?? {}, effectiveQuotasOf(lineage), []);
  await refuseDuplicateExternalId(tx.db, parentId, request.external_id ?? null);
  const slug = slugOf(request.name, await listSlugs(tx.db, parentId));
  const tenant = newTenant(parentId, slug, request, prepared);
  await insertTenant(tx, { tenant, ...authorityAndKeyOf(context, prepared) });
  const { id, name } = tenant;
  await writeAudit(tx, context, id, systemActor, { ...tenantCreated(id), after: { id, name } });
  return tenant;
}

const newTenant = (
  parent_id: string,
  slug: string,
  request: SubTenantRequest,
  { id, now }: { id: string; now: number },
): Tenant => ({
  id,
  parent_id,
  slug,
  name: request.name,
  external_id: request.external_id ?? null,
  contact_email: request.contact_email ?? null,
  suspend_reason: null,
  suspended_at: null,
  ...ownQuotas(request.quotas),
  region_code: null,
  config_version: 0,
  fleet_config_version: 0,
  created_at: now,
  updated_at: null,
});

const ownQuotas = (request: { [K in keyof Quotas]?: Quotas[K] | undefined } = {}): Quotas => ({
  max_agents: request.max_agents ?? null,
  max_tokens_per_day: request.max_tokens_per_day ?? null,
  max_agent_runs_per_day: request.max_agent_runs_per_day ?? null,
});

/** Returns the tenant's CA, and an API key with all permissions in it. */
function authorityAndKeyOf(
  context: Context,
  { id, now, apiKey, root }: Awaited<ReturnType<typeof prepareSubTenant>>,
): Omit<NewTenant, 'tenant'> {
  const of = { tenant_id: id, created_at: now };
  return {
    authority: {
      ...of,
      id: context.newId('ca'),
      certificate: root.certificatePem,
      private_key: context.secrets.encrypt(root.privateKeyPem),
    },
    apiKey: {
      ...of,
      id: context.newId('key'),
      name: 'First key',
      hash: hashApiKey(apiKey),
      ...marksOfApiKey(apiKey),
      permissions: JSON.stringify(permissions),
      profile_hosts: null,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    },
  };
}

/**
 * The actor of a tenant's creation in its own log. The parent's log names the user who created it.
 */
export const systemActor: Actor = { actor_type: 'system', actor_id: 'gatehouse', ip: null };

/** The first entry of a tenant's log. A log without any entries has therefore lost them. */
export const tenantCreated = (id: string) => ({
  action: 'tenant.create',
  resource_type: 'tenant',
  resource_id: id,
});
