import type { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { permissions } from '#contract/route.ts';
import type { newSubTenant, Quotas } from '#contract/sub-tenants.ts';
import { createRoot } from '#pki/authority.ts';
import { writeAudit } from '../audit/changing.ts';
import type { Context } from '../context.ts';
import { hashApiKey, newApiKey } from '../identity/api-keys/key-caller.ts';
import type { Trx } from '../storage/open.ts';
import { creation, theSystem } from './creation.ts';
import {
  findTenantAndAncestors,
  insertTenant,
  listSlugs,
  type NewTenant,
  type Tenant,
} from './queries.ts';
import { refuseConflict, refuseDuplicateExternalId } from './refusals.ts';
import { DEEPEST, limitsOf, slugOf } from './rules.ts';

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
  context: Context,
  trx: Trx,
  parentId: string,
  request: SubTenantRequest,
  prepared: Awaited<ReturnType<typeof prepareSubTenant>>,
): Promise<Tenant> {
  const lineage = await findTenantAndAncestors(trx, parentId);
  if (lineage.length >= DEEPEST)
    throw new ApiError('conflict', `sub-tenants can be nested at most ${DEEPEST - 1} deep`);
  refuseConflict(request.quotas ?? {}, limitsOf(lineage), []);
  await refuseDuplicateExternalId(trx, parentId, request.external_id ?? null);
  const slug = slugOf(request.name, await listSlugs(trx, parentId));
  const tenant = newTenant(parentId, slug, request, prepared);
  await insertTenant(trx, { tenant, ...belongings(context, prepared) });
  const { id, name } = tenant;
  await writeAudit(context, trx, id, theSystem, { ...creation(id), after: { id, name } });
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
  created_at: now,
  updated_at: null,
});

const ownQuotas = (request: { [K in keyof Quotas]?: Quotas[K] | undefined } = {}): Quotas => ({
  max_agents: request.max_agents ?? null,
  max_tokens_per_day: request.max_tokens_per_day ?? null,
  max_agent_runs_per_day: request.max_agent_runs_per_day ?? null,
});

/** The tenant's CA, and an API key with every permission in it. */
function belongings(
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
      permissions: JSON.stringify(permissions),
      profile_hosts: null,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    },
  };
}
