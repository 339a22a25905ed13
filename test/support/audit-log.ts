import { afterAll, beforeAll } from 'vitest';
import type { ChainEntry } from '#control-plane/audit/chain.ts';
import { withHash, FIRST_HASH, sealOf } from '#control-plane/audit/chain.ts';
import { findHead, type NewEntry } from '#control-plane/audit/queries.ts';
import { deriveSecrets } from '#control-plane/lib/derived-keys.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { firstTenant } from '#control-plane/tenants/queries.ts';
import { auditLock } from '#control-plane/storage/locks.ts';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import { type databases, newDatabase, type TestDatabase } from './databases.ts';

export const SECRET_KEY = 'a key that is only used by tests of the audit log';
export const auditKey = deriveSecrets(SECRET_KEY).auditKey;

export interface AuditedService extends TestControlPlane {
  /** The environment of its programs, for further processes on the same database. */
  env: Record<string, string>;
  /** A second connection to its database, to read and modify what is stored. */
  storage: Storage;
  tenantId: string;
}

/** Starts a control plane with a known database and known keys. */
export async function startAudited(
  kind: (typeof databases)[number],
  more: Record<string, string> = {},
): Promise<AuditedService> {
  const database = await newDatabase(kind);
  const env = { ...envOf(database), ...more };
  const service = await startTestControlPlane(kind, env);
  const storage = await openStorage({ ...database, onProblem: () => undefined });
  const { id: tenantId } = await firstTenant(storage.db);
  return {
    ...service,
    env,
    storage,
    tenantId,
    async stop() {
      await storage.close();
      await service.stop();
      await database.remove();
    },
  };
}

/** Sets up a control plane for tests that read its audit log and create sub-tenants. */
export function setUpAudited(kind: (typeof databases)[number]) {
  let service: AuditedService;
  beforeAll(async () => {
    service = await startAudited(kind);
  });
  afterAll(() => service.stop());
  return {
    get service() {
      return service;
    },
    list: (query: Parameters<typeof service.byKey.audit.listAuditEntries>[0] = { query: {} }) =>
      service.byKey.audit.listAuditEntries(query),
    subTenant: async (name: string, by = service.byKey) => {
      const { id, api_key } = await by.subTenants.createSubTenant({ body: { name } });
      return { id, byKey: service.by({ 'X-Svc-Key': api_key }) };
    },
  };
}

export const envOf = (database: TestDatabase): Record<string, string> => ({
  DATA_DIR: database.dataDir,
  DATABASE_URL: database.databaseUrl ?? '',
  SECRET_KEY,
});

const DAY_MS = 86_400_000;

/** Adds many entries to a log in the same way as the control plane. */
export function appendMany(
  storage: Storage,
  tenant_id: string,
  entries: readonly Partial<NewEntry>[],
): Promise<ChainEntry[]> {
  return storage.transaction(async (tx) => {
    await tx.lock(auditLock(tenant_id));
    const head = await findHead(tx.db, tenant_id);
    let { sequence, hash } = head ?? { sequence: 0, hash: FIRST_HASH };
    const rows = entries.map((entry) => {
      sequence += 1;
      const full = { ...unremarkable(sequence), ...entry, tenant_id, sequence };
      const row = withHash(auditKey, { ...full, previous_hash: hash });
      ({ hash } = row);
      return row;
    });
    for (let at = 0; at < rows.length; at += 1000)
      await tx.bulk.insert('audit_entries', rows.slice(at, at + 1000));
    const end = { tenant_id, sequence, hash };
    const { tenant_id: _tenant, ...moved } = { ...end, seal: sealOf(auditKey, end) };
    await tx.db
      .insertInto('audit_heads')
      .values({ tenant_id, ...moved })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(moved))
      .execute();
    const key = ['tenant_id', 'actor_type', 'action', 'day'] as const;
    await tx.bulk.merge('audit_totals', { key, add: ['count'] }, totalsOf(rows));
    return rows;
  });
}

const unremarkable = (sequence: number) => ({
  id: `aud_${String(sequence).padStart(8, '0')}`,
  actor_type: 'agent' as const,
  actor_id: 'key_1',
  action: 'policy.update',
  resource_type: 'policy',
  resource_id: `pol_${sequence % 50}`,
  metadata: JSON.stringify({ before: { enabled: false }, after: { enabled: true, n: sequence } }),
  ip: '192.0.2.1',
  created_at: Date.UTC(2026, 0, 1) + sequence,
});

function totalsOf(rows: readonly ChainEntry[]) {
  const groups = Map.groupBy(rows, ({ actor_type, action, created_at }) =>
    JSON.stringify([actor_type, action, Math.floor(created_at / DAY_MS)]),
  );
  return [...groups.values()].map((group) => {
    const { tenant_id, actor_type, action, created_at } = group[0] as ChainEntry;
    const day = Math.floor(created_at / DAY_MS);
    return { tenant_id, actor_type, action, day, count: group.length };
  });
}
