import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStorage, type Trx } from '#control-plane/storage/open.ts';
import { newDatabase } from '../support/databases.ts';
import { takeHeld } from '../support/no-held-transactions.ts';

test('a SQLite transaction that waits for something else is noticed, and one that queries is not', async () => {
  const database = await newDatabase('sqlite');
  const storage = await openStorage({ ...database, onProblem: () => undefined });
  const query = (trx: Trx) => trx.selectFrom('tenants').select('id').execute();
  const run = (work: (trx: Trx) => Promise<unknown>) => storage.db.transaction().execute(work);
  const failed = new Error('rolled back');

  await run(async (trx) => {
    for (let i = 0; i < 100; i += 1) await query(trx);
  });
  await expect(run(() => Promise.reject(failed))).rejects.toBe(failed);
  await setImmediate();
  expect(takeHeld()).toEqual([]);

  await run(async (trx) => {
    await query(trx);
    await setImmediate();
  });
  const [held, ...more] = takeHeld();
  expect(held?.message).toMatch(/^a SQLite transaction waited for something other/);
  expect(held?.stack).toContain('held-transactions.test.ts');
  expect(more).toEqual([]);
  await storage.close();
  await database.remove();
});
