import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import type { Tx } from '#control-plane/storage/transaction.ts';
import { newDatabase } from '../support/databases.ts';
import { takeReportedErrors } from '../support/no-held-transactions.ts';

test('a SQLite transaction that waits for something else is detected, and one that queries is not', async () => {
  const database = await newDatabase('sqlite');
  const storage = await openStorage({ ...database, onProblem: () => undefined });
  const query = (tx: Tx) => tx.db.selectFrom('tenants').select('id').execute();
  const run = (work: (tx: Tx) => Promise<unknown>) => storage.transaction(work);
  const failed = new Error('rolled back');

  await run(async (tx) => {
    for (let i = 0; i < 100; i += 1) await query(tx);
  });
  await expect(run(() => Promise.reject(failed))).rejects.toBe(failed);
  await setImmediate();
  expect(takeReportedErrors()).toEqual([]);

  await run(async (tx) => {
    await query(tx);
    await setImmediate();
  });
  const [held, ...more] = takeReportedErrors();
  expect(held?.message).toMatch(/^a SQLite transaction waited for something other/);
  expect(held?.stack).toContain('held-transactions.test.ts');
  expect(more).toEqual([]);
  await storage.close();
  await database.remove();
});
