import { describe, expect, test } from 'vitest';
import { deleteReportBatches } from '#control-plane/device-reports/retention-queries.ts';
import { databases } from '../support/databases.ts';
import { setUpStorage } from '../support/storage.ts';

const BEFORE = 1_700_000_000_000;

describe.each(databases)('batch ids on %s', (kind) => {
  const world = setUpStorage(kind);

  const taken = (tenant_id: string, name: string, count: number, received_at: number) =>
    world.storage.db
      .insertInto('device_batches')
      .values(
        Array.from({ length: count }, (_, i) => ({
          tenant_id,
          device_id: `dev_${i % 3}`,
          batch_id: `${name}-${i}`,
          received_at,
        })),
      )
      .execute();
  const forget = () =>
    world.storage.transaction((tx) => deleteReportBatches(tx, 'tnt_1', BEFORE, 100));

  test('old ones are deleted in steps, for one tenant', async () => {
    await taken('tnt_1', 'old', 150, BEFORE - 1);
    await taken('tnt_1', 'kept', 1, BEFORE);
    await taken('tnt_2', 'old', 1, 1);
    expect([await forget(), await forget(), await forget()]).toEqual([100, 50, 0]);
    const left = await world.storage.db.selectFrom('device_batches').selectAll().execute();
    expect(left.map(({ tenant_id, batch_id }) => `${tenant_id} ${batch_id}`).sort()).toEqual([
      'tnt_1 kept-0',
      'tnt_2 old-0',
    ]);
  });
});
