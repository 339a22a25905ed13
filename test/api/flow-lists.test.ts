import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { flowOf } from '../support/device-reports.ts';
import { enrollDevice } from '../support/device.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 10, minutes)).toISOString();

describe.each(databases)('lists of flows on %s', (kind) => {
  let service: TestControlPlane;
  let first = '';

  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    const devices = [
      await enrollDevice(service, 'hardware-first'),
      await enrollDevice(service, 'hardware-second'),
    ];
    first = devices[0]?.id ?? '';
    const flows = [
      flowOf('a', { started_at: at(0), ended_at: at(1) }),
      flowOf('b', { started_at: at(1), bytes_in: null, bytes_out: null }),
      flowOf('c', { started_at: at(2), process: '=curl', host: null }),
      flowOf('d', { started_at: at(3), address: '203.0.113.10' }),
    ];
    const report = { batch_id: 'flows-of-one', flows };
    await devices[0]?.client.device.reportFlows({ body: report });
    // The same ids and times on another device.
    const same = { batch_id: 'flows-of-other', flows: flows.slice(0, 2) };
    await devices[1]?.client.device.reportFlows({ body: same });
  });
  afterAll(() => service.stop());

  const idsOf = (flows: readonly { id: string }[]) => flows.map(({ id }) => id).join('');
  const list = (query: object) => service.byOwner.flows.listFlows({ query });
  const save = async (query: object) => {
    const text = await service.byOwner.flows.exportFlows({ query: { format: 'jsonl', ...query } });
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
  ])('%j finds %s: as a page and as a file', async (query, ids) => {
    const page = await list(query);
    expect([idsOf(page.results), page.count]).toEqual([ids, ids.length]);
    const saved = await save(query);
    expect(idsOf(saved)).toBe(ids);
    expect(new Set(saved.map(({ id, device_id }) => id + device_id)).size).toBe(ids.length);
  });

  test('flows of one device, process and endpoint are one row', async () => {
    const groups = await service.byOwner.flows.groupFlows({ query: { device: first } });
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
        bytes_in: 20,
        bytes_out: 40,
        first_started: at(0),
        last_started: at(3),
      },
      expect.objectContaining({ process: '=curl', address: '203.0.113.9', flow_count: 1 }),
    ]);
    const all = await service.byOwner.flows.groupFlows({ query: { start: at(1) } });
    expect(all.results.map(({ flow_count }) => flow_count)).toEqual([2, 1, 1]);
  });

  test('a file of CSV holds no formula', async () => {
    const text = await service.byOwner.flows.exportFlows({
      query: { format: 'csv', known_host: 'false' },
    });
    expect(text).toContain(`"'=curl"`);
  });

  test('a range that ends before it starts is refused', async () => {
    await expect(list({ start: at(2), end: at(1) })).rejects.toMatchObject({ status: 400 });
  });
});
