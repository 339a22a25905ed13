import { afterAll, beforeAll, expect } from 'vitest';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { startTestControlPlane, type TestClient, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';
import { newDatabase, type TestDatabase } from './databases.ts';

export const SECRET_KEY = 'a secret key that the test knows, to forge tokens with';

export const errorMatching = (status: number, message: RegExp | string = /./) => ({
  status,
  message: expect.stringMatching(message) as string,
});

/** Sets up a control plane with access to its database, and tenants below the first one. */
export function setUpEnterprise(kind: (typeof databases)[number]) {
  let database: TestDatabase;
  let service: TestControlPlane;
  /**
   * A second connection to the database, for data that no route can create, such as old records.
   */
  let storage: Storage;

  beforeAll(async () => {
    database = await newDatabase(kind);
    const { dataDir, databaseUrl } = database;
    service = await startTestControlPlane(kind, {
      SECRET_KEY,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
    });
    storage = await openStorage({ ...database, onProblem: () => undefined });
  });
  afterAll(async () => {
    await storage.close();
    await service.stop();
    await database.remove();
  });

  const withKey = (key: string) => service.by({ 'X-Svc-Key': key });
  const subTenant = async (name: string, by: TestClient = service.byKey) => {
    const { id, api_key } = await by.subTenants.createSubTenant({ body: { name } });
    return { id, byKey: withKey(api_key), apiKey: api_key };
  };

  return {
    get service() {
      return service;
    },
    get storage() {
      return storage;
    },
    withKey,
    subTenant,
  };
}
