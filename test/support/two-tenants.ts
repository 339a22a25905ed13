import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { permissions } from '#contract/route.ts';
import { createRoot } from '#pki/authority.ts';
import { hashApiKey } from '#control-plane/lib/api-key.ts';
import { hashPassword } from '#control-plane/identity/password/passwords.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { createTenant, type FirstTenant } from '#control-plane/tenants/queries.ts';
import { API_KEY, OWNER, startOn, type TestClient } from './control-plane.ts';
import { type databases, newDatabase } from './databases.ts';

interface Tenant {
  byKey: TestClient;
  byOwner: TestClient;
  /** The headers of its API key and of its owner, for custom requests. */
  headers: { key: Record<string, string>; owner: Record<string, string> };
}

export interface TwoTenants {
  urls: { public: string; device: string };
  one: Tenant;
  other: Tenant;
  /** A second connection to the database, to read what is stored. */
  storage: Storage;
  setTime(now: number | undefined): void;
  stop(): Promise<void>;
}

const OTHER_OWNER = { email: 'owner@other.test', password: OWNER.password };
const OTHER_KEY = API_KEY.replace('0123', '4567');

/** Starts a control plane with two tenants, neither of which may access data of the other. */
export async function startTwoTenants(
  kind: (typeof databases)[number],
  env: Record<string, string> = {},
): Promise<TwoTenants> {
  const database = await newDatabase(kind);
  const { controlPlane, setTime } = await startOn(database, env);
  const storage = await openStorage({ ...database, onProblem: () => undefined });
  await addTenant(storage);
  const by = (headers: Record<string, string>): TestClient =>
    createClient(contract, { baseUrl: controlPlane.urls.public, headers: () => headers });
  const tenant = async (owner: typeof OWNER, key: string): Promise<Tenant> => {
    const { token } = await by({}).identity.login({ body: owner });
    const headers = { key: { 'X-Svc-Key': key }, owner: { Authorization: `Bearer ${token}` } };
    return { byKey: by(headers.key), byOwner: by(headers.owner), headers };
  };
  return {
    urls: controlPlane.urls,
    one: await tenant(OWNER, API_KEY),
    other: await tenant(OTHER_OWNER, OTHER_KEY),
    storage,
    setTime,
    async stop() {
      await storage.close();
      await controlPlane.close();
      await database.remove();
    },
  };
}

async function addTenant(storage: Storage): Promise<void> {
  const of = { tenant_id: 'tnt_other', created_at: Date.now() };
  const { certificatePem } = await createRoot({ name: 'Other', now: of.created_at });
  const parts: FirstTenant = {
    tenant: { id: of.tenant_id, name: 'Other', config_version: 0, created_at: of.created_at },
    authority: { ...of, id: 'ca_other', certificate: certificatePem, private_key: '' },
    owner: {
      ...of,
      id: 'usr_other',
      email: OTHER_OWNER.email,
      password_hash: await hashPassword(OTHER_OWNER.password),
      role: 'owner',
    },
    apiKey: {
      ...of,
      id: 'key_other',
      name: 'Other',
      hash: hashApiKey(OTHER_KEY),
      permissions: JSON.stringify(permissions),
      profile_hosts: null,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    },
  };
  // Its log is not read before it has further entries.
  await createTenant(storage, parts, () => Promise.resolve());
}
