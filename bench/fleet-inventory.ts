/**
 * Compares the fleet's list of apps with a bare scan that groups the apps of all devices, and
 * measures the cost of grouping.
 *
 * fleet-inventory.ts [DEVICES] [sqlite|postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inventoryRoutes } from '#contract/inventory.ts';
import { listApps } from '#control-plane/inventory/app-queries.ts';
import { gatherGroup } from '#control-plane/inventory/gather-group.ts';
import { listGroups } from '#control-plane/inventory/group-list-queries.ts';
import { storeGroup } from '#control-plane/inventory/group-queries.ts';
import { appRow } from '#control-plane/device-reports/rows.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { startPostgres } from '#test/support/postgres-server.ts';
import { percentile } from './support/load.ts';
import { progressBar } from './support/processes.ts';
import { type Row, writeSection } from './support/report.ts';

const DEVICES = Number(process.argv[2] ?? 10_000);
const kind = process.argv[3] === 'postgres' ? 'postgres' : 'sqlite';
const APPS = 200;
/** The number of different apps. Half of them are common, the others rare. */
const DIFFERENT = 2000;
const DEVICES_PER_STEP = 25;
const ROUNDS = 20;
const TENANT_ID = 'tnt_bench';

const flags = ['[]', '[]', '[]', '["runs_commands"]', '["unpinned_dependency","plaintext_secret"]'];

const appNumber = (device: number, i: number): number =>
  i < APPS / 2 ? i : APPS / 2 + ((device * 7 + i * 13) % (DIFFERENT - APPS / 2));

const reportOf = (device: number, i: number) => {
  const n = appNumber(device, i);
  return {
    kind: n % 3 === 0 ? ('mcp_server' as const) : ('cli' as const),
    name: `app-${n}`,
    catalog_id: `app-${n}`,
    version: `1.${(device + n) % 20}.0`,
    path: `/home/user-${device}/.local/bin/app-${n}-${i}`,
    user: `user-${device % 8000}`,
    confidence: 0.9,
    evidence: ['its package names it'],
    risk_flags: JSON.parse(flags[n % flags.length] ?? '[]') as string[],
  };
};

const deviceRow = (device: number, now: number) => ({
  tenant_id: TENANT_ID,
  id: `dev_${String(device).padStart(6, '0')}`,
  hardware_id: `hardware-${device}`,
  hostname: `host-${device}`,
  os: 'darwin',
  os_version: '26.1',
  agent_version: '1.0.0',
  user: `user-${device}`,
  user_group: null,
  status: 'active' as const,
  api_key_id: 'key',
  enrolled_at: now,
  last_seen: now,
  disconnected_at: null,
  applied_version: 0,
  problems: '[]',
  scanned_at: now,
});

async function fill(storage: Storage): Promise<void> {
  const now = Date.now();
  const bar = progressBar(DEVICES, 0);
  for (let from = 0; from < DEVICES; from += DEVICES_PER_STEP) {
    const to = Math.min(DEVICES, from + DEVICES_PER_STEP);
    await storage.transaction(async (tx) => {
      for (let device = from; device < to; device += 1) {
        const row = deviceRow(device, now);
        await tx.db.insertInto('devices').values(row).execute();
        const caller = { tenantId: TENANT_ID, deviceId: row.id };
        const apps = Array.from({ length: APPS }, (_, i) =>
          appRow(caller, reportOf(device, i), now),
        );
        await tx.bulk.insert('apps', apps);
      }
    });
    bar(to);
  }
}

/** Rebuilds all groups. Returns their number and the times. */
async function gatherAll(storage: Storage): Promise<{ groups: number; times: number[] }> {
  const found = await storage.reader.selectFrom('apps').select('group_id').distinct().execute();
  const times: number[] = [];
  for (const { group_id } of found) {
    const began = performance.now();
    const gathered = await gatherGroup(storage.reader, TENANT_ID, group_id);
    times.push(performance.now() - began);
    await storage.transaction((tx) => storeGroup(tx, TENANT_ID, gathered));
  }
  return { groups: found.length, times: times.sort((a, b) => a - b) };
}

async function p95Of(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const began = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - began);
  }
  return percentile(
    times.sort((a, b) => a - b),
    95,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-inventory-'));
const postgres =
  kind === 'postgres' ? await startPostgres({ keptIn: join(folder, 'pg') }) : undefined;
const storage = await openStorage({
  databaseUrl: postgres?.url,
  dataDir: folder,
  synchronous: 'normal',
  onProblem: console.error,
});
await fill(storage);
await sql`analyze`.execute(storage.db);
const began = performance.now();
const { groups, times } = await gatherAll(storage);
const gatheredMs = performance.now() - began;

const query = (more: object) => inventoryRoutes.listAppGroups.query.parse(more);
const list = (more: object) => () => listGroups(storage.reader, TENANT_ID, query(more));
const bare = await p95Of(
  () =>
    sql`select group_id, count(distinct device_id), count(distinct "user"), min(first_seen)
      from apps where tenant_id = ${TENANT_ID} group by group_id
      order by 2 desc limit 25`.execute(storage.reader),
  3,
);
const first = await p95Of(list({}));
const filtered = await p95Of(
  list({ search: 'app-1', risk_flag: 'runs_commands', version_below: '1.5', sort: '-first_seen' }),
);
const [group] = (await list({})()).rows;
const apps = inventoryRoutes.listApps.query.parse({
  group: group?.id,
  offset: DEVICES / 2,
  limit: 100,
});
const who = await p95Of(() => listApps(storage.reader, TENANT_ID, apps));

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const beside = (value: number): Row => [
  ms(value),
  `bare scan ${ms(bare)}`,
  (value / bare).toFixed(4),
];
writeSection(
  kind === 'sqlite' ? 'fleetInventory' : 'fleetInventoryOnPostgres',
  ['what', 'measured', 'beside', 'ratio', 'goal'],
  [
    ['first page of apps across the fleet, with count, p95', ...beside(first), '< 500 ms'],
    ['filtered by text, risk and version, p95', ...beside(filtered), '< 500 ms'],
    [
      `devices of an app that ${group?.device_count} have, a page in the middle, p95`,
      ...beside(who),
      '< 500 ms',
    ],
    [
      `aggregating one of ${groups} apps, p50 / p99`,
      `${ms(percentile(times, 50))} / ${ms(percentile(times, 99))}`,
      '',
      '',
      '',
    ],
    ['aggregating all of them once', `${(gatheredMs / 1000).toFixed(1)} s`, '', '', ''],
  ],
  `${DEVICES} devices with ${APPS} apps each. The bare scan groups them by app, without versions and flags.`,
);
await storage.close();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
