import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { appOf, captureOf, flowOf, post } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString();

describe.each(databases)('reports of devices on %s', (kind) => {
  let service: TestControlPlane;
  let device: TestDevice;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    device = await enrollDevice(service, 'hardware-reports');
  });
  afterAll(() => service.stop());

  const address = (what: string) => `${service.urls.device}/api/svc/v1/endpoint/${what}/`;
  const detail = (id: string) => service.byOwner.devices.getDevice({ params: { id } });
  const flowsOf = async (of: TestDevice) => {
    const { results } = await service.byOwner.flows.listFlows({ query: { device: of.id } });
    return results.map(({ id }) => id);
  };
  const bytesOf = (batch_id: string, ...ids: string[]): Buffer =>
    Buffer.from(JSON.stringify({ batch_id, flows: ids.map((id) => flowOf(id)) }));

  test.each([
    [undefined, (bytes: Buffer) => bytes],
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('a body in %s is accepted', async (encoding, encode) => {
    const id = `flw_in_${encoding}`;
    const body = encode(bytesOf(`batch-${encoding}`, id));
    const sent = { body, ...(encoding && { encoding }) };
    expect(await post(device, address('flows'), sent)).toEqual([
      200,
      '{"accepted":1,"duplicate":false}',
    ]);
    expect(await flowsOf(device)).toContain(id);
  });

  test.each([
    [
      'an unknown encoding',
      'zstd',
      (bytes: Buffer) => bytes,
      415,
      /zstd.*: expected gzip, deflate or br/,
    ],
    ['what is not gzip', 'gzip', (bytes: Buffer) => bytes, 400, /could not be read/],
    ['half a gzip', 'gzip', (bytes: Buffer) => gzipSync(bytes).subarray(0, 40), 400, /end of file/],
    ['a bomb', 'gzip', () => gzipSync(Buffer.alloc(50_000_000)), 413, /larger than 10mb/],
    ['half a report', undefined, (bytes: Buffer) => bytes.subarray(0, 99), 400, /not valid JSON/],
  ] as const)(
    '%s is rejected, and none of it is stored',
    async (_name, encoding, make, status, line) => {
      const before = await detail(device.id);
      const body = make(bytesOf('batch-refused', 'flw_refused'));
      for (const what of ['flows', 'inventory', 'captures', 'heartbeat'])
        expect(await post(device, address(what), { body, ...(encoding && { encoding }) })).toEqual([
          status,
          expect.stringMatching(line),
        ]);
      expect((await detail(device.id)).flow_count).toBe(before.flow_count);
    },
  );

  const heartbeat = { agent_version: '1', applied_version: 0, queued: 0, dropped: 0, problems: [] };
  test('the detail of a device has the queued and dropped reports', async () => {
    const mine = await enrollDevice(service, 'hardware-spool');
    expect(await detail(mine.id)).toMatchObject({ queued: 0, dropped: 0 });
    for (const spool of [
      { queued: 12, dropped: 3 },
      { queued: 0, dropped: 2 ** 53 - 1 },
    ]) {
      await mine.client.device.heartbeat({ body: { ...heartbeat, ...spool } });
      expect(await detail(mine.id)).toMatchObject(spool);
    }
    expect(await detail(device.id)).toMatchObject({ queued: 0, dropped: 0 });
  });

  test('the detail of a device has each time range without flows once', async () => {
    const mine = await enrollDevice(service, 'hardware-gaps');
    expect((await detail(mine.id)).not_observed).toEqual([]);
    const gap = (from: number, to: number, reason: 'not_running' | 'dropped' = 'not_running') => ({
      reason,
      started_at: at(from),
      ended_at: at(to),
    });
    const beat = (...not_observed: ReturnType<typeof gap>[]) =>
      mine.client.device.heartbeat({ body: { ...heartbeat, not_observed } });
    await beat(gap(10, 20), gap(10, 12, 'dropped'));
    await beat(gap(10, 20), gap(10, 15, 'dropped'), gap(30, 40), gap(30, 35));
    await beat(gap(10, 11));
    await mine.client.device.heartbeat({ body: heartbeat });
    expect((await detail(mine.id)).not_observed).toEqual([
      gap(30, 40),
      gap(10, 15, 'dropped'),
      gap(10, 20),
    ]);
    expect((await detail(device.id)).not_observed).toEqual([]);
  });

  test('the detail of a device names the programs that currently reject its certificates', async () => {
    const mine = await enrollDevice(service, 'hardware-refusals');
    const refusal = { process: 'node', app_id: null, host: 'api.openai.com', since: at(10) };
    const beat = (...certificate_refusals: (typeof refusal)[]) =>
      mine.client.device.heartbeat({ body: { ...heartbeat, certificate_refusals } });
    const refusals = async () => (await detail(mine.id)).certificate_refusals;
    expect(await refusals()).toEqual([]);
    await beat(refusal, { ...refusal, process: 'java', since: '2999-01-01T00:00:00.000Z' });
    const [first, second] = await refusals();
    expect(first).toEqual(refusal);
    expect(Date.parse(second?.since ?? '')).toBeLessThanOrEqual(Date.now());
    await mine.client.device.heartbeat({ body: heartbeat });
    expect(await refusals()).toEqual([]);
    expect((await detail(device.id)).certificate_refusals).toEqual([]);
  });

  test('the detail of a device has the capture level of each app', async () => {
    const host = 'api.anthropic.com';
    const mine = await enrollDevice(service, 'hardware-levels', { hosts: host });
    const app = (name: string, catalog_id: string | null) =>
      appOf(name, { kind: 'cli', catalog_id });
    const levels = async () =>
      (await detail(mine.id)).capture_levels.map(({ app_id, level }) => [app_id, level]);
    const scan = (batch_id: string, ...apps: ReturnType<typeof app>[]) =>
      mine.client.device.reportInventory({ body: { batch_id, apps } });
    expect(await levels()).toEqual([]);
    await scan('levels-scan-1', app('gone', 'aider'));
    await scan(
      'levels-scan-2',
      app('claude', 'claude-code'),
      app('gemini', 'gemini-cli'),
      app('own', null),
    );
    expect(await levels()).toEqual([
      ['claude-code', 'unknown'],
      ['gemini-cli', 'metadata'],
    ]);
    const report = (id: string, request_body: string | null) => {
      const more = { host, app_id: 'claude-code', request_body, response_body: null };
      const captures = [captureOf(id, new Date().toISOString(), more)];
      return mine.client.device.reportCaptures({ body: { batch_id: `batch-${id}`, captures } });
    };
    await report('without', null);
    expect((await levels())[0]).toEqual(['claude-code', 'unknown']);
    await report('with', '{}');
    expect((await levels())[0]).toEqual(['claude-code', 'content']);
    const later = new Date(Date.now() + 1).toISOString();
    await mine.client.device.heartbeat({
      body: {
        ...heartbeat,
        certificate_refusals: [{ process: 'claude', app_id: 'claude-code', host, since: later }],
      },
    });
    expect((await detail(mine.id)).capture_levels[0]).toEqual({
      app_id: 'claude-code',
      level: 'metadata',
      reason: 'refused',
      store: 'system',
      hosts: [host],
    });
  });

  test('a time range into the future ends now, and none ends before it starts', async () => {
    const mine = await enrollDevice(service, 'hardware-gap-clock');
    const not_observed = [
      { reason: 'dropped' as const, started_at: at(50), ended_at: at(40) },
      { reason: 'dropped' as const, started_at: at(60), ended_at: '9999-01-01T00:00:00.000Z' },
    ];
    await mine.client.device.heartbeat({ body: { ...heartbeat, not_observed } });
    const [latest, first] = (await detail(mine.id)).not_observed;
    expect(Date.parse(latest?.ended_at ?? '')).toBeLessThanOrEqual(Date.now());
    expect(first).toMatchObject({ started_at: at(50), ended_at: at(50) });
  });

  const aGap = { reason: 'dropped' as const, started_at: at(1), ended_at: at(2) };
  const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  test.each([
    ['reportFlows', { flows: many(1001, flowOf('f')) }, 'flows'],
    ['reportInventory', { apps: many(5001, appOf('a')) }, 'apps'],
    ['reportCaptures', { captures: many(101, {}) }, 'captures'],
    ['heartbeat', { ...heartbeat, problems: many(21, 'p') }, 'problems'],
    ['heartbeat', { ...heartbeat, problems: ['p'.repeat(501)] }, 'problems[0]'],
    ['heartbeat', { ...heartbeat, not_observed: many(21, aGap) }, 'not_observed'],
    [
      'heartbeat',
      { ...heartbeat, not_observed: [{ ...aGap, reason: 'x' }] },
      'not_observed[0].reason',
    ],
    ['heartbeat', { ...heartbeat, queued: -1 }, 'queued'],
    ['heartbeat', { ...heartbeat, dropped: 1e300 }, 'dropped'],
    ['heartbeat', { ...heartbeat, applied_version: 1.5 }, 'applied_version'],
    ['heartbeat', { ...heartbeat, agent_version: 'x'.repeat(51) }, 'agent_version'],
    [
      'reportFlows',
      { flows: [flowOf('f', { started_at: at(0).replace('2026', '1970') })] },
      'flows[0].started_at',
    ],
    [
      'reportFlows',
      { flows: [flowOf('f', { ended_at: '0001-01-01T00:00:00Z' })] },
      'flows[0].ended_at',
    ],
    [
      'reportFlows',
      { flows: [flowOf('f', { started_at: '2026-02-30T00:00:00Z' })] },
      'flows[0].started_at',
    ],
    ['reportFlows', { flows: [flowOf('f', { port: 65_536 })] }, 'flows[0].port'],
    ['reportFlows', { flows: [flowOf('f', { pid: -1 })] }, 'flows[0].pid'],
    ['reportFlows', { flows: [flowOf('f', { bytes_in: 2 ** 53 })] }, 'flows[0].bytes_in'],
    ['reportFlows', { flows: [flowOf('f', { bytes_out: -1 })] }, 'flows[0].bytes_out'],
    [
      'reportFlows',
      { flows: [flowOf('f', { url: 'https://x/?key=1' })] },
      'flows[0]: Unrecognized key: "url"',
    ],
    ['reportInventory', { apps: [appOf('a', { confidence: 1.01 })] }, 'apps[0].confidence'],
    ['reportInventory', { apps: [appOf('a', { evidence: many(21, 'e') })] }, 'apps[0].evidence'],
  ] as const)('%s of %j is rejected, and the error names %s', async (name, wrong, field) => {
    const body = name === 'heartbeat' ? wrong : { batch_id: 'batch-wrong', ...wrong };
    const refused = await device.client.device[name]({ body: body as never }).then(
      () => '200',
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    );
    expect(refused.slice(0, field.length + 4)).toBe(`400 ${field}`);
  });

  test('a repeated batch changes nothing, also with concurrent requests', async () => {
    const mine = await enrollDevice(service, 'hardware-again');
    const other = await enrollDevice(service, 'hardware-again-other');
    const send = ({ client }: TestDevice, id: string) =>
      client.device.reportFlows({ body: { batch_id: 'batch-again', flows: [flowOf(id)] } });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => send(mine, id)));
    expect(answers.filter(({ duplicate }) => !duplicate)).toEqual([
      { accepted: 1, duplicate: false },
    ]);
    expect(await flowsOf(mine)).toHaveLength(1);
    expect(await send(mine, 'e')).toEqual({ accepted: 0, duplicate: true });
    expect(await flowsOf(mine)).toHaveLength(1);
    // Ids are unique per device only.
    expect(await send(other, 'a')).toEqual({ accepted: 1, duplicate: false });
  });

  test('concurrent reports of many devices are all stored, each for its device', async () => {
    const devices = await Promise.all(
      Array.from({ length: 5 }, (_, i) => enrollDevice(service, `hardware-many-${i}`)),
    );
    const sending = devices.flatMap(({ client }, d) =>
      Array.from({ length: 6 }, (_, b) =>
        client.device.reportFlows({
          body: {
            batch_id: `batch-many-${b}`,
            flows: Array.from({ length: 10 }, (__, f) =>
              flowOf(`flw_${b}_${f}`, { process: `p${d}` }),
            ),
          },
        }),
      ),
    );
    expect(await Promise.all(sending)).toEqual(many(30, { accepted: 10, duplicate: false }));
    for (const [d, { id }] of devices.entries()) {
      const query = { device: id, process: `p${d}` };
      expect((await service.byOwner.flows.listFlows({ query })).count).toBe(60);
      expect(await detail(id)).toMatchObject({ flow_count: 60, online: true });
    }
  });

  test('an app that a scan reports twice is one app, with the last values', async () => {
    const mine = await enrollDevice(service, 'hardware-twice');
    const apps = [appOf('goose'), appOf('goose', { version: '2.0.0' }), appOf('aider')];
    const body = { batch_id: 'batch-scan', apps };
    expect(await mine.client.device.reportInventory({ body })).toEqual({
      accepted: 3,
      duplicate: false,
    });
    const { results, count } = await service.byOwner.inventory.listApps({
      query: { device: mine.id },
    });
    expect([count, results.map(({ name, version }) => [name, version])]).toEqual([
      2,
      [
        ['aider', '1.0.0'],
        ['goose', '2.0.0'],
      ],
    ]);
  });

  test('lists are counted up to ten thousand and can be read beyond that', async () => {
    const mine = await enrollDevice(service, 'hardware-long');
    for (let b = 0; b < 11; b += 1) {
      const flows = Array.from({ length: 1000 }, (_, i) =>
        flowOf(`f${b}-${i}`, {
          started_at: at(b * 1000 + i),
          host: i === 7 ? 'claude.ai' : null,
          process: i % 2 === 0 ? 'even' : 'odd',
        }),
      );
      const body = { batch_id: `batch-long-${b}`, flows };
      await mine.client.device.reportFlows({ body });
    }
    const list = (query: object) =>
      service.byOwner.flows.listFlows({ query: { device: mine.id, limit: 2, ...query } });
    const first = await list({});
    expect(first).toMatchObject({ count: 10_000, count_exact: false });
    expect(first.results.map(({ id }) => id)).toEqual(['f10-999', 'f10-998']);
    const beyond = await list({ offset: 10_500 });
    expect(beyond.results.map(({ id }) => id)).toEqual(['f0-499', 'f0-498']);
    expect(beyond).toMatchObject({ count: 10_503, count_exact: false });
    expect(beyond.next).toContain('offset=10502');
    const end = await list({ offset: 10_998 });
    expect(end.results.map(({ id }) => id)).toEqual(['f0-1', 'f0-0']);
    expect(end).toMatchObject({ count: 11_000, count_exact: true, next: null });
    for (const [query, count] of [
      [{ host: 'CLAUDE.ai' }, 11],
      [{ known_host: 'true' }, 11],
      [{ process: 'odd' }, 5500],
      [{ process: 'odd', known_host: 'true' }, 11],
      [{ host: 'api.openai.com' }, 0],
    ] as const)
      expect(await list(query)).toMatchObject({ count, count_exact: true });
    expect((await list({ known_host: 'false' })).count).toBe(10_000);
  });
});
