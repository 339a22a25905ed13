import { afterAll, beforeAll, expect, test } from 'vitest';
import { runListHandlers } from '#control-plane/runs/list-handlers.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { newDatabase, type TestDatabase } from '../support/databases.ts';
import { storeCalls } from '../support/searched-calls.ts';

let database: TestDatabase;
let storage: Storage;
beforeAll(async () => {
  database = await newDatabase('sqlite');
  storage = await openStorage({ ...database, onProblem: () => undefined });
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

test('an export of a search is rejected if the index is incomplete', async () => {
  await storeCalls(storage, 'tnt_1', [{ prompt_preview: 'refund' }]);
  const saveRuns = async (isIndexed: boolean): Promise<unknown> => {
    const search = { ...storage.search, catchUp: () => Promise.resolve(isIndexed) };
    const context = { storage: { ...storage, search } };
    const request = { caller: { tenantId: 'tnt_1' }, query: { search: 'refund', format: 'csv' } };
    return runListHandlers.exportRuns(context as never, request as never);
  };
  while (!(await storage.search.catchUp('tnt_1')));
  await expect(saveRuns(false)).rejects.toMatchObject({ reason: 'index_incomplete', status: 503 });
  await expect(saveRuns(true)).resolves.toBeDefined();
});
