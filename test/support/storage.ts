import { afterAll, beforeAll } from 'vitest';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { type databases, newDatabase, type TestDatabase } from './databases.ts';

/** Sets up a database and the control plane's storage on it. */
export function setUpStorage(kind: (typeof databases)[number]) {
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
  return {
    get database() {
      return database;
    },
    get storage() {
      return storage;
    },
  };
}
