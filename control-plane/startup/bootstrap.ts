import { randomBytes } from 'node:crypto';
import { permissions } from '#contract/route.ts';
import { createRoot } from '#pki/authority.ts';
import { writeAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import {
  type FirstCredentials,
  forgetCredentials,
  writeCredentials,
  readCredentials,
} from './first-credentials.ts';
import { hashApiKey, marksOfApiKey, newApiKey } from '../lib/api-key.ts';
import { hashPassword } from '../identity/password/passwords.ts';
import { tenantCreated, systemActor } from '../sub-tenants/create-sub-tenant.ts';
import { createTenant, readTenantState, type FirstTenant, hasTenants } from '../tenants/queries.ts';

/**
 * Creates a tenant, its CA, an owner and an API key in an empty database. Otherwise returns null,
 * unless an earlier start was killed before it could print the credentials.
 */
export async function bootstrap(context: Context): Promise<FirstCredentials | null> {
  const { storage, config, secrets } = context;
  if (await hasTenants(storage.db)) return unprintedCredentials(context);
  const now = context.now();
  const configured = config.bootstrap;
  const email = configured.email ?? 'owner@gatehouse.local';
  const password = configured.password ?? randomBytes(12).toString('base64url');
  const apiKey = configured.apiKey ?? newApiKey();
  const root = await createRoot({ name: `${config.app.name} Root CA`, now });
  const tenant_id = context.newId('tnt');
  const parts: FirstTenant = {
    tenant: { id: tenant_id, name: config.app.name, config_version: 0, created_at: now },
    authority: {
      tenant_id,
      id: context.newId('ca'),
      certificate: root.certificatePem,
      private_key: secrets.encrypt(root.privateKeyPem),
      created_at: now,
    },
    owner: {
      tenant_id,
      id: context.newId('usr'),
      email: email.toLowerCase(),
      password_hash: await hashPassword(password),
      role: 'owner',
      created_at: now,
    },
    apiKey: {
      tenant_id,
      id: context.newId('key'),
      name: 'First key',
      hash: hashApiKey(apiKey),
      ...marksOfApiKey(apiKey),
      permissions: JSON.stringify(permissions),
      profile_hosts: null,
      created_at: now,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    },
  };
  const credentials = {
    email,
    password: configured.password ? null : password,
    apiKey: configured.apiKey ? null : apiKey,
  };
  writeCredentials(config.dataDir, { ...credentials, tenantId: tenant_id });
  const { id, name } = parts.tenant;
  const created = await createTenant(storage, parts, (tx) =>
    writeAudit(tx, context, id, systemActor, { ...tenantCreated(id), after: { id, name } }),
  );
  if (created) return credentials;
  forgetCredentials(config.dataDir);
  return null;
}

/**
 * Reads credentials that were not printed. The file may belong to another database that used this
 * folder before.
 */
async function unprintedCredentials({
  storage,
  config,
}: Context): Promise<FirstCredentials | null> {
  const stored = readCredentials(config.dataDir);
  if (!stored || !(await readTenantState(storage.db, stored.tenantId))) return null;
  const { tenantId: _, ...credentials } = stored;
  return credentials;
}
