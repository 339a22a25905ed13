import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { appRow } from '#control-plane/device-reports/rows.ts';
import { listAppsOnDevices } from '#control-plane/inventory/evaluation/evaluation-queries.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { newDatabase, untilLockWaiter } from '../support/databases.ts';
import { appOf } from '../support/device-reports.ts';

const at = { tenantId: 'tnt_1', deviceId: 'dev_1' };
const app = { ...appRow(at, appOf('aider'), 1), group_id: 'grp_1' };
const device = {
  tenant_id: at.tenantId,
  id: at.deviceId,
  hardware_id: 'hw',
  hostname: 'host',
  os: 'linux',
  os_version: '1',
  agent_version: '1',
  user: 'ada',
  status: 'active' as const,
  api_key_id: 'key',
  enrolled_at: 1,
  last_seen: 1,
  scanned_at: 1,
  applied_version: 0,
  problems: '[]',
};

test('on postgres a scan that is stored while apps are listed removes none of them', async () => {
  const database = await newDatabase('postgres');
  const storage = await openStorage({ ...database, onProblem: (line) => expect.fail(line) });
  await storage.db.insertInto('devices').values(device).execute();
  await storage.db.insertInto('apps').values(app).execute();
  const group = { id: app.group_id, kind: app.kind, name: app.name, catalog_id: null };
  const list = () => listAppsOnDevices(storage.db, at.tenantId, group, [at.deviceId]);
  const listed = await storage.transaction(async ({ db }) => {
    // The scan is stored as soon as the listing has to wait for this table.
    await sql`lock table apps in access exclusive mode`.execute(db);
    const listing = list();
    await untilLockWaiter(storage.db);
    await db.updateTable('apps').set({ last_seen: 2 }).execute();
    await db.updateTable('devices').set({ scanned_at: 2 }).execute();
    return { listing };
  });
  expect(await listed.listing).toMatchObject([
    { device: { id: at.deviceId, hostname: 'host' }, apps: [{ path: app.path, user: app.user }] },
  ]);
  await storage.db.updateTable('devices').set({ scanned_at: 3 }).execute();
  expect(await list()).toMatchObject([{ device: { id: at.deviceId }, apps: [] }]);
  await storage.close();
  await database.remove();
});
