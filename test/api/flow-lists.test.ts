import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_SORTED } from '#contract/filters.ts';
import { databases } from '../support/databases.ts';
import { flowOf } from '../support/device-reports.ts';
import { enrollDevice } from '../support/device.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 10, minutes)).toISOString();

describe.each(databases)('lists of flows on %s', (kind) => {
  let service: TwoTenants;
  let first = '';

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    const tenant = { ...service, ...service.one };
    const devices = [
      await enrollDevice(tenant, 'hardware-first'),
      await enrollDevice(tenant, 'hardware-second'),
    ];
    first = devices[0]?.id ?? '';
    const flows = [
      flowOf('a', { started_at: at(0), ended_at: at(1) }),
      flowOf('b', { started_at: at(1), bytes_in: null, bytes_out: null, user: null }),
      flowOf('c', { started_at: at(2), process: '=curl', host: null, bytes_in: 5, bytes_out: 5 }),
      flowOf('d', { started_at: at(3), address: '203.0.113.10', bytes_in: 99, user: 'bob' }),
    ];
    const report = { batch_id: 'flows-of-one', flows };
    await devices[0]?.client.device.reportFlows({ body: report });
    // The same ids and times, on another device.
    const same = { batch_id: 'flows-of-other', flows: flows.slice(0, 2) };
    await devices[1]?.client.device.reportFlows({ body: same });
  });
  afterAll(() => service.stop());

  const idsOf = (flows: readonly { id: string }[]) => flows.map(({ id }) => id).join('');
  const list = (query: object) => service.one.byOwner.flows.listFlows({ query });
  const countOf = ({ sort: _sort, ...query }: Record<string, unknown>) =>
    service.one.byOwner.flows.summarizeFlows({ query });
  const save = async (query: object) => {
    const text = await service.one.byOwner.flows.exportFlows({
      query: { format: 'jsonl', ...query },
    });
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { id: string; device_id: string });
  };

  test.each([
    [{}, 'dcbbaa'],
    [{ sort: 'started_at' }, 'aabbcd'],
    [{ start: at(1) }, 'dcbb'],
    [{ start: at(1), end: at(2) }, 'bb'],
    [{ host: 'API.anthropic.com', start: at(1) }, 'dbb'],
    [{ process: '=curl' }, 'c'],
    [{ known_host: 'false' }, 'c'],
    [{ process: 'none' }, ''],
    [{ sort: 'process', device: 'first' }, 'cabd'],
    [{ sort: '-process', device: 'first' }, 'dbac'],
    [{ sort: '-bytes_in', device: 'first' }, 'dacb'],
    [{ sort: 'bytes_out', device: 'first' }, 'cadb'],
    [{ sort: 'duration', device: 'first' }, 'adcb'],
    [{ sort: '-duration', device: 'first' }, 'bcda'],
    [{ sort: 'host', device: 'first' }, 'cabd'],
    [{ sort: '-user', device: 'first' }, 'dcab'],
    [{ sort: 'hostname' }, 'aabbcd'],
  ])('%j finds %s: as a page, as a file and over time', async (given, ids) => {
    const query = 'device' in given ? { ...given, device: first } : given;
    const page = await list(query);
    expect([idsOf(page.results), page.count]).toEqual([ids, ids.length]);
    const saved = await save(query);
    expect(idsOf(saved)).toBe(ids);
    expect(new Set(saved.map(({ id, device_id }) => id + device_id)).size).toBe(ids.length);
    expect((await countOf(query)).count).toBe(ids.length);
  });

  test('flows of one device, process and endpoint are one row', async () => {
    const groups = await service.one.byOwner.flows.groupFlows({ query: { device: first } });
    expect(groups).toMatchObject({ group_count: 2, flow_count: 4, complete: true });
    expect(groups.results).toEqual([
      {
        device_id: first,
        hostname: 'macbook-ada',
        process: 'claude',
        host: 'api.anthropic.com',
        address: null,
        port: 443,
        protocol: 'tcp',
        flow_count: 3,
        open_count: 2,
        bytes_in: 109,
        bytes_out: 40,
        first_started: at(0),
        last_started: at(3),
      },
      expect.objectContaining({ process: '=curl', address: '203.0.113.9', flow_count: 1 }),
    ]);
    const all = await service.one.byOwner.flows.groupFlows({ query: { start: at(1) } });
    expect(all.results.map(({ flow_count }) => flow_count)).toEqual([2, 1, 1]);
  });

  test('a CSV file contains no formula', async () => {
    const text = await service.one.byOwner.flows.exportFlows({
      query: { format: 'csv', known_host: 'false' },
    });
    expect(text).toContain(`"'=curl"`);
  });

  test('a range that ends before it starts is rejected', async () => {
    await expect(list({ start: at(2), end: at(1) })).rejects.toMatchObject({ status: 400 });
  });

  test('flows are counted by the time at which they started', async () => {
    expect(await countOf({})).toEqual({
      count: 6,
      complete: true,
      bucket_seconds: 5,
      buckets: [0, 1, 2, 3].map((minute) => ({ start: at(minute), count: minute < 2 ? 2 : 1 })),
    });
    expect(await countOf({ start: at(1), end: at(3), device: first })).toMatchObject({
      count: 2,
      bucket_seconds: 1,
      buckets: [
        { start: at(1), count: 1 },
        { start: at(2), count: 1 },
      ],
    });
    const nothing = { count: 0, complete: true, bucket_seconds: 0, buckets: [] };
    expect(await countOf({ host: 'nowhere.example' })).toEqual(nothing);
  });

  test('with very many flows, only the latest are sorted, and the list says so', async () => {
    const [row] = await service.storage.db.selectFrom('flows').selectAll().limit(1).execute();
    if (!row) throw new Error('there is no flow');
    const many = Array.from({ length: MAX_SORTED }, (_, more) => ({
      ...row,
      id: `more-${String(more).padStart(5, '0')}`,
      process: 'many',
      started_at: Date.parse(at(10)) + more,
      bytes_in: more % 1000,
    }));
    await service.storage.transaction((tx) => tx.bulk.insert('flows', many));
    const sorted = { sort: '-bytes_in', process: 'many' };
    expect(await list(sorted)).toMatchObject({ count: MAX_SORTED, incomplete: false });
    const cut = await list({ sort: 'bytes_in' });
    expect(cut).toMatchObject({ count: MAX_SORTED, count_exact: false, incomplete: true });
    expect(cut.results[0]?.id).toBe('more-00000');
    const last = await list({ sort: '-bytes_in', limit: 1, offset: MAX_SORTED - 1 });
    expect([last.results[0]?.id, last.next]).toEqual(['more-00000', null]);
    expect(await list({})).toMatchObject({ incomplete: false });
    const counted = await countOf({});
    expect(counted.count).toBe(MAX_SORTED + 6);
    const saved = await save(sorted);
    expect([saved.length, saved[0]?.id]).toEqual([MAX_SORTED, 'more-19999']);
  });
});
