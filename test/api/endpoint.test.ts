import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { deviceClient, enrollDevice, readProfile } from '../support/device.ts';
import { flow } from '../support/sample-flow.ts';

const app = {
  kind: 'cli',
  name: 'Claude Code',
  catalog_id: 'claude-code',
  version: '2.0.1',
  path: '/usr/local/bin/claude',
  user: 'ada',
  confidence: 0.9,
  evidence: ['package.json names @anthropic-ai/claude-code'],
  risk_flags: ['bypass_permissions'],
} as const;

describe.each(databases)('devices on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const guard = () => service.byOwner.guard;
  const device = (id: string) => service.byOwner.devices.getDevice({ params: { id } });

  test(
    'no route is served without a certificate or with a foreign one',
    { tags: ['openssl'] },
    async () => {
      const { root } = await readProfile(service);
      const bare = deviceClient(service.urls.device, { ca: root });
      await expect(bare.device.getConfig()).rejects.toMatchObject({ status: 401 });
      const keys = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        '-',
        '-subj',
        '/CN=x',
        '-days',
        '1',
      ];
      const own = execFileSync('openssl', keys, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const stranger = deviceClient(service.urls.device, { ca: root, cert: own, key: own });
      await expect(stranger.device.getConfig()).rejects.toMatchObject({
        status: 401,
        message: 'the device certificate is not one of ours',
      });
    },
  );

  test('a batch of flows is counted once, however often it is sent', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-flows');
    const body = { batch_id: 'batch-0001', flows: [flow, { ...flow, id: 'flw_2', host: null }] };
    const send = () => client.device.reportFlows({ body });
    expect(await Promise.all([send(), send()])).toEqual(
      expect.arrayContaining([
        { accepted: 2, duplicate: false },
        { accepted: 0, duplicate: true },
      ]) as unknown,
    );
    const ended = { ...flow, ended_at: '2026-03-01T10:00:05.000Z', bytes_in: 500 };
    await client.device.reportFlows({ body: { batch_id: 'batch-0002', flows: [ended] } });
    const { listFlows } = service.byOwner.flows;
    const known = await listFlows({ query: { device: id, known_host: 'true' } });
    expect(known.results).toEqual([{ ...ended, device_id: id, hostname: 'macbook-ada' }]);
    expect((await listFlows({ query: { device: id } })).count).toBe(2);
    expect((await listFlows({ query: { device: id, process: 'none' } })).count).toBe(0);
  });

  test('a batch with an unknown field is not stored', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-strict');
    const flows = [flow, { ...flow, id: 'flw_9', url: 'https://x/secret' }] as never;
    await expect(
      client.device.reportFlows({ body: { batch_id: 'batch-strict', flows } }),
    ).rejects.toMatchObject({ status: 400, message: /url/ as never });
    expect((await device(id)).flow_count).toBe(0);
  });

  test('an inventory keeps first-seen times and shows removed apps', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-apps');
    const report = (batch_id: string, apps: object[]) =>
      client.device.reportInventory({ body: { batch_id, apps: apps as never } });
    await report('scan-0001', [app, { ...app, name: 'Ollama', kind: 'local_model_server' }]);
    const first = Date.now();
    await pollUntil(Date.now, (now) => now > first);
    await report('scan-0002', [{ ...app, version: '2.0.2' }]);
    const { results } = await service.byOwner.inventory.listApps({ query: { device: id } });
    expect(results.map(({ name, version, present }) => [name, version, present])).toEqual([
      ['Claude Code', '2.0.2', true],
      ['Ollama', '2.0.1', false],
    ]);
    expect(results[0]).toMatchObject({ ...app, version: '2.0.2', device_id: id });
    expect(Date.parse(results[0]?.first_seen ?? '')).toBeLessThan(
      Date.parse(results[0]?.last_seen ?? ''),
    );
  });

  test('Guard rejects hosts outside the catalog and the hosts of banks, and names them', async () => {
    const put = (intercept_hosts: string[]) =>
      guard()
        .putLayer({ body: { layer: 'global', config: { intercept_hosts } } })
        .catch((error: { status: number; message: string }) => `${error.status} ${error.message}`);
    expect([
      await put(['api.openai.com', 'intranet.example']),
      await put(['mail.google.com']),
    ]).toEqual([
      '400 intercept_hosts: not in the catalog of AI hosts: intranet.example',
      '400 intercept_hosts: capture is never allowed for mail.google.com',
    ]);
  });

  test.each([
    [{ layer: 'global', scope: 'x', config: {} }, 400],
    [{ layer: 'device', config: {} }, 400],
    [{ layer: 'device', scope: 'dev_none', config: {} }, 404],
    [{ layer: 'planet', scope: 'x', config: {} }, 400],
    [{ layer: 'global', config: { colour: 1 } }, 400],
  ])('Guard rejects %j', async (body, status) => {
    await expect(guard().putLayer({ body: body as never })).rejects.toMatchObject({ status });
  });

  test('layers are created, replaced, changed and removed, each with a new version', async () => {
    const place = { layer: 'user_group', scope: 'designers' } as const;
    const created = await guard().putLayer({
      body: { ...place, config: { capture_enabled: false } },
    });
    const config = { capture_enabled: true, intercept_hosts: ['claude.ai'] };
    const replaced = await guard().putLayer({ body: { ...place, config } });
    const changed = await guard().updateLayer({
      params: { id: created.id },
      body: { config: { ...config, intercept_processes: ['Cursor'] } },
    });
    expect([replaced.id, changed.id]).toEqual([created.id, created.id]);
    expect([replaced.version, changed.version]).toEqual([created.version + 1, created.version + 2]);
    expect(changed).toMatchObject({ ...place, updated_by: 'owner@example.test' });
    const listed = await guard().listLayers();
    expect(listed.results.filter((layer) => layer.scope === 'designers')).toEqual([changed]);
    const member = await enrollDevice(service, 'hardware-designer', { userGroup: 'designers' });
    expect((await device(member.id)).effective_config).toMatchObject(config);
    await guard().deleteLayer({ params: { id: created.id } });
    expect((await device(member.id)).effective_config.capture_enabled).toBe(false);
    await expect(guard().deleteLayer({ params: { id: created.id } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('devices are found by name, and the list is paged', async () => {
    for (const number of [1, 2, 3, 4, 5, 6])
      await enrollDevice(service, `hardware-listed-${number}`);
    const { listDevices } = service.byOwner.devices;
    const all = await listDevices({ query: { search: 'MACBOOK', limit: 1 } });
    expect(all.results).toHaveLength(1);
    expect(all.count).toBeGreaterThan(5);
    expect((await listDevices({ query: { search: '100%' } })).count).toBe(0);
  });
});
