import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceSorts, deviceTimes } from '#contract/devices.ts';
import { databases } from '../support/databases.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const T0 = Date.parse('2026-03-01T10:00:00.000Z');
const MINUTE_MS = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Devices by name, in the order in which they were seen. */
const facts = {
  a: { hostname: 'alpha', user: 'ada', os: 'darwin', user_group: 'design' },
  b: { hostname: 'beta', user: 'bob', os: 'linux', problems: '["disk \\"full\\"","no route"]' },
  c: { hostname: 'gamma', user: 'ada', os: 'linux', agent_version: '0.2.0', applied_version: -1 },
  d: { hostname: 'delta', user: 'dan', os: 'linux', status: 'revoked' as const, problems: '["x"]' },
} as const;
type Name = keyof typeof facts;

describe.each(databases)('lists of devices on %s', (kind) => {
  let service: TwoTenants;
  const ids: Partial<Record<Name, string>> = {};
  const devices: Partial<Record<Name, TestDevice>> = {};
  let scans = 0;

  const scan = (name: Name, ...apps: ReturnType<typeof appOf>[]) =>
    devices[name]?.client.device.reportInventory({
      body: { batch_id: `scan-number-${(scans += 1)}`, apps },
    });

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    for (const name of Object.keys(facts) as Name[]) {
      const device = await enrollDevice({ ...service, ...service.one }, `hardware-${name}`);
      [ids[name], devices[name]] = [device.id, device];
    }
    const risky = { risk_flags: ['hidden_unicode', 'sends_data'] };
    await scan('a', appOf('aider', risky), appOf('cursor'), appOf('codex', risky));
    await scan('b', appOf('aider'), appOf('gone', { risk_flags: ['debugger_access'] }));
    await scan('b', appOf('aider'));
    for (const [at, [name, set]] of Object.entries(facts).entries()) {
      const times = { enrolled_at: T0 - at, last_seen: T0 + at * MINUTE_MS, disconnected_at: null };
      await service.storage.db
        .updateTable('devices')
        .set({ ...times, agent_version: '0.1.0', applied_version: 1_000_000, ...set })
        .where('id', '=', ids[name as Name] ?? '')
        .execute();
    }
    await service.storage.db
      .updateTable('devices')
      .set({ pending_key: 'f'.repeat(64), pending_since: T0, pending_request: '{}' })
      .where('id', '=', ids.c ?? '')
      .execute();
    service.setTime(T0 + 2.4 * MINUTE_MS);
  });
  afterAll(() => service.stop());

  const namesOf = (found: readonly { id: string }[]) =>
    found.map(({ id }) => Object.entries(ids).find((one) => one[1] === id)?.[0]).join('');
  const list = (query: object) => service.one.byOwner.devices.listDevices({ query });
  const countOf = (query: object) => service.one.byOwner.devices.summarizeDevices({ query });
  const save = (query: object) =>
    service.one.byOwner.devices.exportDevices({ query: { format: 'jsonl', ...query } });

  test.each([
    [{}, 'dcba'],
    [{ search: 'ALPH' }, 'a'],
    [{ search: 'ada' }, 'ca'],
    [{ state: 'online' }, 'cb'],
    [{ state: 'offline' }, 'a'],
    [{ state: 'revoked' }, 'd'],
    [{ state: 'pending' }, ''],
    [{ state: 'waiting' }, 'c'],
    [{ os: 'linux' }, 'dcb'],
    [{ user_group: 'design' }, 'a'],
    [{ agent_version: '0.2.0' }, 'c'],
    [{ with_problems: 'true' }, 'b'],
    [{ with_problems: 'false' }, 'dca'],
    [{ problem: 'disk "full"' }, 'b'],
    [{ problem: '%' }, ''],
    [{ config: 'pending' }, 'c'],
    [{ config: 'applied' }, 'ba'],
    [{ risk_flag: 'sends_data' }, 'a'],
    [{ risk_flag: 'sends' }, ''],
    [{ risk_flag: 'debugger_access' }, ''],
    [{ sort: 'hostname' }, 'abdc'],
    [{ sort: '-hostname' }, 'cdba'],
    [{ sort: '-user', os: 'linux' }, 'dbc'],
    [{ sort: 'enrolled_at' }, 'dcba'],
    [{ sort: '-problems', with_problems: 'true' }, 'b'],
    [{ sort: '-apps', state: 'offline' }, 'a'],
    [{ start: iso(T0 + MINUTE_MS), end: iso(T0 + 3 * MINUTE_MS) }, 'cb'],
    [{ time: 'enrolled_at', start: iso(T0 - 1) }, 'ba'],
    [{ time: 'enrolled_at', end: iso(T0 - 1), os: 'linux' }, 'dc'],
  ] as const)('%j finds %s: as pages, as a file and over time', async (query, names) => {
    const page = await list(query);
    expect([namesOf(page.results), page.count]).toEqual([names, names.length]);
    const lines = (await save(query)).split('\n').slice(0, -1);
    expect(namesOf(lines.map((line) => JSON.parse(line) as { id: string }))).toBe(names);
    const { sort: _sort, ...filter } = query as { sort?: string };
    for (const by of deviceTimes)
      expect((await countOf({ ...filter, by })).count).toBe(names.length);
  });

  test('devices are counted by last seen or by enrollment', async () => {
    expect(await countOf({})).toEqual({
      count: 4,
      complete: true,
      bucket_seconds: 5,
      buckets: [0, 1, 2, 3].map((at) => ({ start: iso(T0 + at * MINUTE_MS), count: 1 })),
    });
    expect(await countOf({ by: 'enrolled_at' })).toMatchObject({
      bucket_seconds: 1,
      buckets: [
        { start: iso(T0 - 1000), count: 3 },
        { start: iso(T0), count: 1 },
      ],
    });
    const reversed = { start: iso(T0), end: iso(T0 - 1) };
    await expect(list(reversed)).rejects.toMatchObject({ status: 400 });
  });

  test('devices with an app are those on which the latest scan found it', async () => {
    const idOf = async (search: string) => {
      const { results } = await service.one.byOwner.inventory.listAppGroups({ query: { search } });
      return results[0]?.id;
    };
    await expect.poll(() => idOf('gone'), { timeout: PATIENCE_MS }).toBeDefined();
    await expect.poll(() => idOf('aider'), { timeout: PATIENCE_MS }).toBeDefined();
    const [app, gone] = [await idOf('aider'), await idOf('gone')];
    // Apps are assigned to groups one device at a time.
    await expect
      .poll(async () => namesOf((await list({ app, sort: 'hostname' })).results))
      .toBe('ab');
    expect((await list({ app: gone })).count).toBe(0);
    expect((await list({ app: 'unknown' })).count).toBe(0);
  });

  test('the list contains apps and risks of the latest scan, problems and keys', async () => {
    const { results } = await list({ sort: '-apps' });
    expect(
      results.map(({ id, present_apps, risk_flags, problems, waiting_key }) => [
        namesOf([{ id }]),
        present_apps,
        risk_flags,
        problems.length,
        waiting_key,
      ]),
    ).toEqual([
      ['a', 3, ['hidden_unicode', 'sends_data'], 0, null],
      ['b', 1, [], 2, null],
      expect.arrayContaining([0]) as unknown,
      expect.arrayContaining([0]) as unknown,
    ]);
    expect(results.find(({ id }) => id === ids.c)?.waiting_key).toBe('f'.repeat(64));
    const byProblems = await list({ sort: '-problems' });
    expect(namesOf(byProblems.results.slice(0, 2))).toBe('bd');
  });

  test('paging in any order shows each device once', async () => {
    for (const sort of deviceSorts.flatMap((by) => [by, `-${by}`])) {
      const seen = new Set<string>();
      for (let offset = 0; offset < 4; offset += 1)
        for (const { id } of (await list({ sort, limit: 1, offset })).results) seen.add(id);
      expect([sort, seen.size]).toEqual([sort, 4]);
    }
  });

  test('a CSV file has the fields of the list', async () => {
    const [header, row] = (await save({ format: 'csv', search: 'beta' })).split('\r\n');
    expect(header).toMatch(/^"id","hostname","user"/);
    expect(row).toContain(`"beta","bob","","linux"`);
    expect(row).toContain(`"[""disk \\""full\\"""",""no route""]",1,"[]"`);
  });
});
