import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLogs } from '#control-plane/audit/verify/verify-logs.ts';
import { findHead } from '#control-plane/audit/queries.ts';
import { deriveSecrets } from '#control-plane/lib/derived-keys.ts';
import { type AuditedService, SECRET_KEY, startAudited } from '../support/audit-log.ts';
import { databases } from '../support/databases.ts';

describe.each(databases)('an audit log whose end was removed on %s', (kind) => {
  let service: AuditedService;
  beforeAll(async () => {
    service = await startAudited(kind);
  });
  afterAll(() => service.stop());

  const write = () =>
    service.byKey.costs.putModelCost({
      params: { model_id: 'm' },
      body: { input_cost_per_million: 1, output_cost_per_million: 1 },
    });

  const verify = async (): Promise<string[]> => {
    const { DATA_DIR: dataDir = '', DATABASE_URL: databaseUrl } = service.env;
    const options = { dataDir, databaseUrl, onProblem: () => undefined };
    const which = { tenant: service.tenantId, anchors: [] };
    const verdicts = verifyLogs(options, deriveSecrets(SECRET_KEY), which);
    return Array.fromAsync(verdicts, ({ line }) => line);
  };

  test('with its sealed head is still detected after more entries are written', async () => {
    const { db } = service.storage;
    const { tenantId: tenant_id } = service;
    await write();
    await write();
    await write();
    const { sequence } = (await findHead(db, tenant_id)) ?? { sequence: 0 };
    await db
      .deleteFrom('audit_entries')
      .where('tenant_id', '=', tenant_id)
      .where('sequence', '=', sequence)
      .execute();
    await db.deleteFrom('audit_heads').where('tenant_id', '=', tenant_id).execute();
    await write();
    await write();
    expect(await verify()).toEqual([
      `${tenant_id}: BROKEN after entry ${sequence + 1}: the record of where the log ends was altered`,
    ]);
  });
});
