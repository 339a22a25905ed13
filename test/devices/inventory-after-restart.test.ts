import { describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { appRow } from '#control-plane/device-reports/rows.ts';
import { OWNER, startOn } from '../support/control-plane.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { appOf } from '../support/device-reports.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const NOW = 1_770_000_000_000;
const DEVICES = 300;

describe.each(databases)('work that was unfinished when the service ended, on %s', (kind) => {
  test('apps of an earlier version are assigned to groups, and a rule is applied to all devices', async () => {
    const database = await newDatabase(kind);
    await (await startOn(database)).controlPlane.close();
    const { databaseUrl, dataDir } = database;
    const storage = await openStorage({
      databaseUrl,
      dataDir,
      onProblem: (line) => expect(line).toBe(''),
    });
    const { id: tenantId } = await storage.db
      .selectFrom('tenants')
      .select('id')
      .executeTakeFirstOrThrow();
    await storage.db.transaction().execute(async (trx) => {
      for (let i = 0; i < DEVICES; i += 1) {
        const deviceId = `dev_${String(i).padStart(4, '0')}`;
        await trx.insertInto('devices').values(deviceRow(tenantId, deviceId)).execute();
        // A row as an earlier version stored it.
        const row = { ...appRow({ tenantId, deviceId }, appOf('aider'), NOW), group_id: '' };
        await trx.insertInto('apps').values(row).execute();
      }
      await trx.insertInto('inventory_rules').values(ruleRow(tenantId)).execute();
    });
    await storage.close();

    const { controlPlane } = await startOn(database);
    const client = (headers: Record<string, string>) =>
      createClient(contract, { baseUrl: controlPlane.urls.public, headers: () => headers });
    const { token } = await client({}).identity.login({ body: OWNER });
    const byOwner = client({ Authorization: `Bearer ${token}` });
    const found = async () => {
      const [group] = (await byOwner.inventory.listAppGroups({ query: {} })).results;
      const [rule] = (await byOwner.inventoryRules.listInventoryRules({ query: {} })).results;
      return [group?.device_count, rule?.evaluating, rule?.open_incidents];
    };
    await expect.poll(found, { timeout: PATIENCE_MS }).toEqual([DEVICES, false, DEVICES]);
    await controlPlane.close();
    await database.remove();
  });
});

const deviceRow = (tenant_id: string, id: string) => ({
  tenant_id,
  id,
  hardware_id: id,
  hostname: id,
  os: 'darwin',
  os_version: '26.1',
  agent_version: '1',
  user: 'ada',
  user_group: null,
  status: 'active' as const,
  api_key_id: 'key',
  enrolled_at: NOW,
  last_seen: NOW,
  scanned_at: NOW,
  disconnected_at: null,
  applied_version: 0,
  problems: '[]',
});

/** A rule that was applied up to a device that precedes all of these. */
const ruleRow = (tenant_id: string) => ({
  tenant_id,
  id: 'irl_1',
  name: 'No aider',
  description: '',
  enabled: 1,
  condition: JSON.stringify({ type: 'listed', kinds: [], apps: ['aider'] }),
  scope: JSON.stringify({ user_groups: [], devices: [] }),
  action: 'incident' as const,
  evaluated_to: 'apps  ',
  deleted_at: null,
  created_at: NOW,
  updated_at: NOW,
  updated_by: 'owner@example.test',
});
