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
import { refuseConflict, refuseTaken } from './refusals.ts';
import { DEEPEST, limitsOf, slugOf } from './rules.ts';

type SubTenantRequest = z.output<typeof newSubTenant>;

/** What a sub-tenant gets beside what was asked for: made before the transaction, as it takes time. */
export async function prepareSubTenant(context: Context) {
  const id = context.newId('st');
  const now = context.now();
  // Each root has a name of its own: devices may come to trust several.
  const name = `${context.config.app.name} Root CA ${id}`;
  return { id, now, apiKey: newApiKey(), root: await createRoot({ name, now }) };
}

/** @throws ApiError `conflict` or `quota_exceeded` */
export async function createSubTenant(
  context: Context,
  trx: Trx,
  parentId: string,
  wanted: SubTenantRequest,
  prepared: Awaited<ReturnType<typeof prepareSubTenant>>,
): Promise<Tenant> {
  const line = await findTenantAndAncestors(trx, parentId);
  if (line.length >= DEEPEST)
    throw new ApiError('conflict', `sub-tenants nest at most ${DEEPEST - 1} deep`);
  refuseConflict(wanted.quotas ?? {}, limitsOf(line), []);
  await refuseTaken(trx, parentId, wanted.external_id ?? null);
  const slug = slugOf(wanted.name, await listSlugs(trx, parentId));
  const tenant = newTenant(parentId, slug, wanted, prepared);
  await insertTenant(trx, { tenant, ...belongings(context, prepared) });
  const { id, name } = tenant;
  await writeAudit(context, trx, id, theSystem, { ...creation(id), after: { id, name } });
  return tenant;
}

const newTenant = (
  parent_id: string,
  slug: string,
  wanted: SubTenantRequest,
  { id, now }: { id: string; now: number },
): Tenant => ({
  id,
  parent_id,
  slug,
  name: wanted.name,
  external_id: wanted.external_id ?? null,
  contact_email: wanted.contact_email ?? null,
  suspend_reason: null,
  suspended_at: null,
  ...ownQuotas(wanted.quotas),
  region_code: null,
  config_version: 0,
  created_at: now,
  updated_at: null,
});

const ownQuotas = (wanted: { [K in keyof Quotas]?: Quotas[K] | undefined } = {}): Quotas => ({
  max_agents: wanted.max_agents ?? null,
  max_tokens_per_day: wanted.max_tokens_per_day ?? null,
  max_agent_runs_per_day: wanted.max_agent_runs_per_day ?? null,
});

/** Its CA, and a key that may do everything within it. */
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
