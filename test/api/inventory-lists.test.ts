import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appTimes } from '#contract/inventory.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const HOUR_MS = 3_600_000;

describe.each(databases)('lists of the inventory on %s', (kind) => {
  let service: TestControlPlane;
  let first: TestDevice;
  let start: number;
  let scans = 0;

  const scan = (device: TestDevice, ...apps: ReturnType<typeof appOf>[]) =>
    device.client.device.reportInventory({
      body: { batch_id: `scan-number-${(scans += 1)}`, apps },
    });

  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    first = await enrollDevice(service, 'hardware-first');
    const second = await enrollDevice(service, 'hardware-second');
    start = Date.now();
    const risky = appOf('aider', { risk_flags: ['sends_data'], version: '2.0.0' });
    service.setTime(start - 2 * HOUR_MS);
    await scan(first, risky, appOf('gone'));
    service.setTime(start - HOUR_MS);
    await scan(second, appOf('=cmd()', { user: 'bob' }), appOf('aider', { user: 'bob' }));
    service.setTime(start);
    await scan(first, risky, appOf('codex', { kind: 'desktop_app' }));
  });
  afterAll(() => service.stop());

  const { parse } = JSON;
  const linesOf = (text: string) =>
    text
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parse(line) as { id: string; name: string });
  const list = (query: object) => service.byOwner.inventory.listApps({ query });
  const countOf = (query: object) => service.byOwner.inventory.summarizeApps({ query });
  const save = (query: object) =>
    service.byOwner.inventory.exportApps({ query: { format: 'jsonl', ...query } });
  const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

  test.each([
    [{}, ['=cmd()', 'aider', 'aider', 'gone', 'codex']],
    [{ sort: '-kind' }, ['codex', 'gone', 'aider', 'aider', '=cmd()']],
    [{ present: 'false' }, ['gone']],
    [{ user: 'bob' }, ['=cmd()', 'aider']],
    [{ risk_flag: 'sends_data' }, ['aider']],
    [{ risk_flag: 'sends' }, []],
    [{ version: '2.0.0' }, ['aider']],
    [{ kind: 'desktop_app' }, ['codex']],
    [{ search: 'COD' }, ['codex']],
    [{ search: 'macbook', kind: 'desktop_app' }, ['codex']],
    [{ sort: 'last_seen', present: 'false' }, ['gone']],
  ])('%j finds %j: as a page and as a file', async (query, names) => {
    const page = await list(query);
    expect([namesOf(page.results), page.count, page.count_exact]).toEqual([
      names,
      names.length,
      true,
    ]);
    expect(linesOf(await save(query)).map(({ id }) => id)).toEqual(
      page.results.map(({ id }) => id),
    );
    const { sort: _sort, ...filter } = query as { sort?: string };
    for (const by of appTimes) expect((await countOf({ ...filter, by })).count).toBe(names.length);
  });

  test('apps are counted and filtered by first and last seen', async () => {
    const iso = (ms: number) => new Date(ms).toISOString();
    const counts = async (query: object) =>
      (await countOf(query)).buckets.map(({ count }) => count);
    expect(await counts({})).toEqual([2, 2, 1]);
    expect(await counts({ by: 'last_seen' })).toEqual([1, 2, 2]);
    const between = { start: iso(start - 1.5 * HOUR_MS), end: iso(start - HOUR_MS / 2) };
    expect(namesOf((await list(between)).results)).toEqual(['=cmd()', 'aider']);
    expect(linesOf(await save(between)).map(({ name }) => name)).toEqual(['=cmd()', 'aider']);
    const lately = { time: 'last_seen', start: iso(start - HOUR_MS / 2) };
    expect(namesOf((await list(lately)).results)).toEqual(['aider', 'codex']);
    expect(await counts(lately)).toEqual([1, 1]);
  });

  test('apps across the fleet are counted and filtered in the same way', async () => {
    const { inventory } = service.byOwner;
    const groups = (query: object) =>
      inventory.listAppGroups({ query: { sort: 'name', ...query } });
    await expect
      .poll(async () => namesOf((await groups({})).results), { timeout: PATIENCE_MS })
      .toEqual(['=cmd()', 'aider', 'codex', 'gone']);
    const first = await inventory.summarizeAppGroups({ query: {} });
    expect(first.buckets.map(({ count }) => count)).toEqual([2, 1, 1]);
    const last = await inventory.summarizeAppGroups({ query: { by: 'last_seen', search: 'o' } });
    expect(last.buckets.map(({ count }) => count)).toEqual([1, 1]);
    const from = new Date(start - HOUR_MS / 2).toISOString();
    expect(namesOf((await groups({ start: from })).results)).toEqual(['codex']);
    const seen = namesOf((await groups({ time: 'last_seen', start: from })).results);
    expect(seen).toEqual(['aider', 'codex']);
  });

  test('new apps can be sorted first and filtered by first seen', async () => {
    expect(namesOf((await list({ sort: '-first_seen' })).results)[0]).toBe('codex');
    const new_since = new Date(start - HOUR_MS / 2).toISOString();
    expect(namesOf((await list({ new_since })).results)).toEqual(['codex']);
    expect(linesOf(await save({ new_since })).map(({ name }) => name)).toEqual(['codex']);
    const all = await list({ sort: 'first_seen' });
    const pages = await Promise.all(
      [0, 1, 2, 3, 4].map((offset) => list({ sort: 'first_seen', limit: 1, offset })),
    );
    expect(pages.flatMap(({ results }) => results)).toEqual(all.results);
  });

  test('the apps of the fleet are exported as listed', async () => {
    const { listAppGroups, exportAppGroups } = service.byOwner.inventory;
    const count = async () => (await listAppGroups({ query: {} })).count;
    await expect.poll(count, { timeout: PATIENCE_MS }).toBe(4);
    for (const query of [
      {},
      { sort: 'name' },
      { risk_flag: 'sends_data' },
      { kind: 'cli' },
    ] as const) {
      const { results } = await listAppGroups({ query });
      const lines = linesOf(await exportAppGroups({ query: { ...query, format: 'jsonl' } }));
      expect(lines.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    }
  });

  test('a CSV file shows who has which app, and contains no formula', async () => {
    const lines = (await save({ format: 'csv', user: 'bob' })).split('\r\n');
    expect(lines[0]).toMatch(/^"hostname","device_id","user","kind","name"/);
    expect(lines[1]).toContain(`"macbook-ada","`);
    expect(lines[1]).toContain(`"bob","cli","'=cmd()","1.0.0",""`);
  });
});
