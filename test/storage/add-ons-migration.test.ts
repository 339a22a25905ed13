import { afterAll, beforeAll, expect, test, describe } from 'vitest';
import { firstTenantsAddOns } from '#control-plane/storage/migrations/030-first-tenants-add-ons.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

describe.each(databases)('add-ons of an installation of before, on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: (line) => expect.fail(line) });
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  test('its first tenant keeps all, and sub-tenants those that they took', async () => {
    const { db } = storage;
    const tenant = { name: 't', config_version: 0, created_at: 5 };
    await db
      .insertInto('tenants')
      .values([
        { ...tenant, id: 'first', parent_id: null },
        { ...tenant, id: 'below', parent_id: 'first' },
      ])
      .execute();
    const taken = { tenant_id: 'below', code: 'sso', activated_at: 7 } as const;
    await db.insertInto('tenant_add_ons').values(taken).execute();
    const up = () => firstTenantsAddOns.up(db as never);
    await up();
    await up();
    expect(
      await db
        .selectFrom('tenant_add_ons')
        .selectAll()
        .orderBy('tenant_id')
        .orderBy('code')
        .execute(),
    ).toEqual([
      taken,
      { tenant_id: 'first', code: 'audit_export', activated_at: 5 },
      { tenant_id: 'first', code: 'insights', activated_at: 5 },
      { tenant_id: 'first', code: 'sso', activated_at: 5 },
    ]);
  });
});
