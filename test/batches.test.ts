import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimBatch } from '#control-plane/endpoint/reports/queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { databases, newDatabase, type TestDatabase } from './support/databases.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 1_700_000_000_000;

describe.each(databases)('batches on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: () => undefined });
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  const taken = (device_id: string, name: string, count: number, received_at: number) =>
    storage.db
      .insertInto('device_batches')
      .values(
        Array.from({ length: count }, (_, i) => {
          return { tenant_id: 'tnt_1', device_id, batch_id: `${name}-${i}`, received_at };
        }),
      )
      .execute();
  const remembered = async (device_id: string) => {
    const rows = await storage.db
      .selectFrom('device_batches')
      .select('batch_id')
      .where('device_id', '=', device_id)
      .orderBy('batch_id')
      .execute();
    return rows.map((row) => row.batch_id);
  };

  test('those older than thirty days are forgotten a hundred at a time, of this device', async () => {
    await taken('dev_1', 'old', 150, NOW - 30 * DAY_MS - 1);
    await taken('dev_1', 'kept', 1, NOW - 30 * DAY_MS);
    await taken('dev_2', 'old', 1, 1);
    const device = { tenantId: 'tnt_1', deviceId: 'dev_1' };
    expect(await claimBatch(storage.db, device, 'new-1', NOW)).toBe(true);
    expect(await remembered('dev_1')).toHaveLength(52);
    expect(await claimBatch(storage.db, device, 'new-1', NOW)).toBe(false);
    expect(await remembered('dev_1')).toHaveLength(52);
    expect(await claimBatch(storage.db, device, 'new-2', NOW)).toBe(true);
    expect(await remembered('dev_1')).toEqual(['kept-0', 'new-1', 'new-2']);
    expect(await remembered('dev_2')).toEqual(['old-0']);
  });
});
