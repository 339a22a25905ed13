/** An upgrade counts the apps of devices and collects their risks. */
import { expect, test } from 'vitest';
import { deleteReports } from '#control-plane/device-reports/retention-queries.ts';
import { openStorage, type StorageOptions } from '#control-plane/storage/open.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { firstMigration } from '../support/migrations.ts';

const device = {
  tenant_id: 't',
  os: 'linux',
  os_version: '1',
  agent_version: '1',
  user: 'ada',
  status: 'active' as const,
  api_key_id: 'k',
  enrolled_at: 1,
  last_seen: 1,
  applied_version: 1,
  problems: '[]',
};
const devices = [
  { ...device, id: 'one', hardware_id: 'one', hostname: 'one', scanned_at: 20 },
  { ...device, id: 'two', hardware_id: 'two', hostname: 'two', scanned_at: 30 },
  { ...device, id: 'none', hardware_id: 'none', hostname: 'none', scanned_at: null },
];

const app = (device_id: string, name: string, last_seen: number, risk_flags: string) => ({
  tenant_id: 't',
  group_id: '',
  id: `${device_id}-${name}`,
  device_id,
  kind: 'cli' as const,
  name,
  path: '/',
  confidence: 1,
  evidence: '[]',
  first_seen: 1,
  last_seen,
  risk_flags,
});
const apps = [
  app('one', 'a', 20, '["x","y"]'),
  app('one', 'b', 20, '["y"]'),
  app('one', 'gone', 10, '["z"]'),
  app('two', 'c', 30, '[]'),
];

test.each(databases)('an upgrade counts apps on %s, as does deleting old apps', async (kind) => {
  const database = await newDatabase(kind, { isEmpty: true });
  const open = (options: Partial<StorageOptions> = {}) =>
    openStorage({ ...database, onProblem: (line) => expect.fail(line), ...options });
  const old = await open({ migrations: firstMigration });
  await old.db.insertInto('devices').values(devices).execute();
  await old.db.insertInto('apps').values(apps).execute();
  await old.close();

  const storage = await open();
  const counted = () =>
    storage.db
      .selectFrom('devices')
      .select(['id', 'present_apps', 'risk_flags'])
      .orderBy('id')
      .execute();
  expect(await counted()).toEqual([
    { id: 'none', present_apps: 0, risk_flags: '[]' },
    { id: 'one', present_apps: 2, risk_flags: '["x","y"]' },
    { id: 'two', present_apps: 1, risk_flags: '[]' },
  ]);
  await storage.transaction((tx) => deleteReports(tx, { tenantId: 't', cutoff: 25, limit: 9 }));
  expect(await counted()).toEqual([
    { id: 'none', present_apps: 0, risk_flags: '[]' },
    { id: 'one', present_apps: 0, risk_flags: '[]' },
    { id: 'two', present_apps: 1, risk_flags: '[]' },
  ]);
  await storage.close();
  await database.remove();
});
