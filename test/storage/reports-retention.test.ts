import { beforeAll, describe, expect, test } from 'vitest';
import { createBatchWriter, type StoreBatch } from '#control-plane/device-reports/write.ts';
import { deleteReports } from '#control-plane/device-reports/retention-queries.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases } from '../support/databases.ts';
import { appOf } from '../support/device-reports.ts';
import { setUpStorage } from '../support/storage.ts';

const DAY = 86_400_000;
const CUTOFF = Date.UTC(2026, 5, 1);

describe.each(databases)('device reports, on %s', (kind) => {
  const world = setUpStorage(kind);
  let takeBatch: StoreBatch;
  beforeAll(() => {
    takeBatch = createBatchWriter(world.storage, createTenantStateCache(world.storage));
  });

  const scan = (tenantId: string, at: number, ...names: string[]) =>
    takeBatch({
      device: { tenantId, deviceId: 'dev_1' },
      batchId: `${at}`,
      at,
      apps: names.map((name) => appOf(name)),
    });

  test('apps are deleted by the time they were last seen, not first seen', async () => {
    await scan('tnt_1', CUTOFF - 30 * DAY, 'gone', 'still there');
    await scan('tnt_1', CUTOFF - 1, 'still there', 'gone for a moment');
    await scan('tnt_1', CUTOFF, 'still there');
    await scan('tnt_2', CUTOFF - 30 * DAY, 'of another tenant');
    const old = { tenantId: 'tnt_1', cutoff: CUTOFF, limit: 100 };
    const deleted = await world.storage.transaction((tx) => deleteReports(tx, old));
    expect(deleted).toBe(2);
    const left = await world.storage.db.selectFrom('apps').select(['tenant_id', 'name']).execute();
    expect(left.map(({ tenant_id, name }) => `${tenant_id} ${name}`).sort()).toEqual([
      'tnt_1 still there',
      'tnt_2 of another tenant',
    ]);
  });

  test('unobserved time ranges are deleted by their start', async () => {
    const gap = (tenant_id: string, started_at: number) => ({
      tenant_id,
      device_id: 'dev_1',
      reason: 'dropped' as const,
      started_at,
      ended_at: CUTOFF + DAY,
    });
    const rows = [gap('tnt_3', CUTOFF - 1), gap('tnt_3', CUTOFF), gap('tnt_4', CUTOFF - 1)];
    await world.storage.db.insertInto('observation_gaps').values(rows).execute();
    const old = { tenantId: 'tnt_3', cutoff: CUTOFF, limit: 100 };
    const deleted = await world.storage.transaction((tx) => deleteReports(tx, old));
    expect(deleted).toBe(1);
    const left = await world.storage.db
      .selectFrom('observation_gaps')
      .selectAll()
      .orderBy('tenant_id')
      .execute();
    expect(left).toEqual(rows.slice(1));
  });
});
