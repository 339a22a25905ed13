import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ChannelPush, DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { eventually } from '../support/processes.ts';
import {
  captureRequest,
  description,
  deviceClient,
  enrollDevice,
  readProfile,
  type TestDevice,
} from '../support/device.ts';

const flow = {
  id: 'flw_1',
  app_id: null,
  process: 'curl',
  path: '/usr/bin/curl',
  pid: 42,
  user: 'ada',
  host: 'api.openai.com',
  address: '203.0.113.9',
  port: 443,
  protocol: 'tcp',
  started_at: '2026-03-01T10:00:00.000Z',
  ended_at: null,
  bytes_in: 10,
  bytes_out: 20,
} as const;

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
  const enable = (hosts: string[], place: { layer: 'global' | 'device'; scope: string | null }) =>
    guard().putLayer({
      body: { ...place, config: { capture_enabled: hosts.length > 0, intercept_hosts: hosts } },
    });

  test('the profile carries a key of its own that may only enroll', async () => {
    const { apiKey, config } = await readProfile(service);
    expect(config).toEqual({
      api_url: service.urls.device,
      api_key: expect.stringMatching(/^svc_sk_/) as string,
      capture_enabled: false,
      intercept_hosts: [],
      intercept_processes: [],
    });
    const client = service.by({ 'X-Svc-Key': apiKey });
    await expect(client.recording.startRun({ body: { agent_name: 'a' } })).rejects.toMatchObject({
      status: 403,
    });
    const keys = await service.byOwner.identity.listApiKeys();
    expect(keys.results.find((key) => key.name.startsWith('Profile of'))?.permissions).toEqual([
      'enroll',
    ]);
  });

  test('the profile refuses hosts outside the catalog, by name', async () => {
    const refused = service.byKey.deployment.getMdmProfile({
      query: { hosts: 'api.openai.com,bank.example' },
    });
    await expect(refused).rejects.toMatchObject({ status: 400, message: /bank\.example/ as never });
  });

  test('enrolling gives an identity for mutual TLS and, without capture, no authority', async () => {
    const { id, enrollment, client } = await enrollDevice(service, 'hardware-plain');
    const identity = describeCertificate(enrollment.identity_certificate);
    expect(identity.deviceId).toBe(id);
    expect(enrollment.intermediate_certificate).toBeNull();
    expect((await client.device.getConfig()).capture_enabled).toBe(false);
    expect(await device(id)).toMatchObject({
      ...description,
      id,
      status: 'active',
      online: true,
      identity: { serial: identity.serial, expires_at: new Date(identity.notAfter).toISOString() },
      applied_version: 0,
      app_count: 0,
      flow_count: 0,
    });
  });

  test(
    "the profile's hosts are the base layer, and bound the device's authority",
    { tags: ['openssl'] },
    async () => {
      const { id, enrollment } = await enrollDevice(service, 'hardware-hosts', {
        hosts: 'API.openai.com,claude.ai',
      });
      const hosts = ['api.openai.com', 'claude.ai'];
      expect(describeCertificate(enrollment.intermediate_certificate ?? '').permittedHosts).toEqual(
        hosts,
      );
      const text = execFileSync('openssl', ['x509', '-noout', '-text'], {
        input: enrollment.intermediate_certificate ?? '',
        encoding: 'utf8',
      });
      expect(text).toMatch(/X509v3 Name Constraints: critical/);
      expect(await guard().resolveGuard({ query: { device: id } })).toMatchObject({
        effective: { capture_enabled: true, intercept_hosts: hosts },
        sources: {
          capture_enabled: 'profile',
          intercept_hosts: 'profile',
          blocked_hosts: 'default',
        },
      });
    },
  );

  test('enrolling again is the same device; what the old keys were given ends', async () => {
    const first = await enrollDevice(service, 'hardware-again');
    const second = await enrollDevice(service, 'hardware-again');
    expect(second.id).toBe(first.id);
    await expect(first.client.device.getConfig()).rejects.toMatchObject({
      status: 401,
      message: 'the device certificate is revoked',
    });
    await second.client.device.getConfig();
  });

  const requestWith = async (
    given: { identity_csr?: string; ca_csr?: string; hardware_id?: string },
    key?: string,
  ) => {
    const { apiKey, root } = await readProfile(service);
    const csr = await createCsr({ ...(await generateKeyPair()), commonName: 'x' });
    const body = {
      ...description,
      hardware_id: 'hardware-bad',
      identity_csr: csr,
      ca_csr: await captureRequest(),
      ...given,
    };
    const client = deviceClient(service.urls.device, { ca: root }, { 'X-Svc-Key': key ?? apiKey });
    return client.device.enroll({ body }).then(
      () => 'enrolled',
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    );
  };
  const weakCsr = () => {
    const arguments_ = [
      'req',
      '-new',
      '-newkey',
      'rsa:1024',
      '-nodes',
      '-keyout',
      '/dev/null',
      '-subj',
      '/CN=x',
    ];
    return execFileSync('openssl', arguments_, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  };

  test('requests that no certificate may be issued for', { tags: ['openssl'] }, async () => {
    const victim = await enrollDevice(service, 'hardware-victim');
    const keys = await generateKeyPair();
    const foreign = await createCsr({ ...keys, commonName: 'x', deviceId: victim.id });
    const foreignName = await createCsr({ ...keys, commonName: victim.id });
    const good = await createCsr({ ...keys, commonName: 'x' });
    const lines = good.trim().split('\n');
    const broken = Buffer.from(lines.slice(1, -1).join(''), 'base64');
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    const badSignature = [lines[0], broken.toString('base64'), lines.at(-1)].join('\n');
    expect([
      await requestWith({ identity_csr: weakCsr() }),
      await requestWith({ ca_csr: badSignature }),
      await requestWith({ identity_csr: 'hello' }),
      await requestWith({ identity_csr: foreign }),
      await requestWith({ identity_csr: foreignName }),
      await requestWith({}, 'svc_sk_unknown'),
    ]).toEqual([
      expect.stringMatching(/^400 identity_csr: .*RSA of 1024 bits/) as string,
      expect.stringMatching(/^400 ca_csr: .*signature/) as string,
      expect.stringMatching(/^400 identity_csr: .*PEM/) as string,
      `403 identity_csr: names another device: ${victim.id}`,
      `403 identity_csr: names another device: ${victim.id}`,
      '401 the API key is unknown, expired or revoked',
    ]);
    await victim.client.device.getConfig();
  });

  test('a device renews for itself only, and gets the hosts enabled by then', async () => {
    const mine = await enrollDevice(service, 'hardware-renew');
    const other = await enrollDevice(service, 'hardware-other');
    const renewAs = async (deviceId: string) => {
      const csr = await createCsr({ ...mine.identity, commonName: deviceId, deviceId });
      return mine.client.device.renew({
        body: { identity_csr: csr, ca_csr: await captureRequest() },
      });
    };
    await expect(renewAs(other.id)).rejects.toMatchObject({ status: 403 });
    await enable(['api.anthropic.com'], { layer: 'device', scope: mine.id });
    const renewed = await renewAs(mine.id);
    expect(describeCertificate(renewed.intermediate_certificate ?? '').permittedHosts).toEqual([
      'api.anthropic.com',
    ]);
    expect((await other.client.device.getConfig()).capture_enabled).toBe(false);
  });

  test('an expired identity is refused with the date', async () => {
    const { client, enrollment } = await enrollDevice(service, 'hardware-expired');
    const { notAfter } = describeCertificate(enrollment.identity_certificate);
    service.setTime(notAfter + 1000);
    const refused = await client.device.getConfig().catch((error: Error) => error.message);
    service.setTime(undefined);
    expect(refused).toBe(`the device certificate expired on ${new Date(notAfter).toISOString()}`);
  });

  test(
    'without a certificate, or with a stranger’s, nothing is served',
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

  test('a batch of flows counts once, however often it is sent', async () => {
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

  test('nothing of a batch with an unplanned field is stored', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-strict');
    const flows = [flow, { ...flow, id: 'flw_9', url: 'https://x/secret' }] as never;
    await expect(
      client.device.reportFlows({ body: { batch_id: 'batch-strict', flows } }),
    ).rejects.toMatchObject({ status: 400, message: /url/ as never });
    expect((await device(id)).flow_count).toBe(0);
  });

  test('an inventory keeps first sights and tells what is gone', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-apps');
    const report = (batch_id: string, apps: object[]) =>
      client.device.reportInventory({ body: { batch_id, apps: apps as never } });
    await report('scan-0001', [app, { ...app, name: 'Ollama', kind: 'local_model_server' }]);
    const first = Date.now();
    await eventually(Date.now, (now) => now > first);
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

  test('Guard refuses hosts outside the catalog and banks within any, by name', async () => {
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
  ])('Guard refuses %j', async (body, status) => {
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

  const openChannel = ({ tls }: Pick<TestDevice, 'tls'>) => {
    const url = service.urls.device.replace('https', 'wss') + DEVICE_CHANNEL_PATH;
    const socket = new WebSocket(url, tls);
    const received: ChannelPush[] = [];
    let wake = (): void => undefined;
    socket.on('message', (data: Buffer) => {
      received.push(JSON.parse(data.toString()) as ChannelPush);
      wake();
    });
    const until = async (done: (push: ChannelPush) => boolean): Promise<ChannelPush> => {
      for (;;) {
        const found = received.find(done);
        if (found) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    return { socket, until };
  };
  test('a change reaches a connected device, which acknowledges it; closing makes it offline', async () => {
    const enrolled = await enrollDevice(service, 'hardware-channel');
    const { socket, until } = openChannel(enrolled);
    await until((push) => !push.config.capture_enabled);
    const layer = await enable(['api.openai.com'], { layer: 'device', scope: enrolled.id });
    const push = await until(({ config }) => config.version >= layer.version);
    expect(push.config).toMatchObject({
      capture_enabled: true,
      intercept_hosts: ['api.openai.com'],
    });
    socket.send(JSON.stringify({ type: 'applied', version: push.config.version }));
    const applied = await eventually(
      () => device(enrolled.id),
      (one) => one.applied_version >= layer.version,
    );
    expect(applied.online).toBe(true);
    socket.close();
    await eventually(
      () => device(enrolled.id),
      (one) => !one.online,
    );
    await enrolled.client.device.heartbeat({
      body: {
        agent_version: '0.2.0',
        applied_version: push.config.version,
        queued: 0,
        dropped: 0,
        problems: ['p'],
      },
    });
    expect(await device(enrolled.id)).toMatchObject({
      online: true,
      agent_version: '0.2.0',
      problems: ['p'],
    });
  });

  test('a line is cut off as soon as the certificate that opened it is revoked', async () => {
    const first = await enrollDevice(service, 'hardware-cut-off');
    const { socket, until } = openChannel(first);
    await until(() => true);
    const closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve([code, reason.toString()])),
    );
    await enrollDevice(service, 'hardware-cut-off');
    expect(await closed).toEqual([1008, 'the device certificate is revoked']);
  });

  test('a device cannot have applied what does not exist', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-boaster');
    const { version } = await client.device.getConfig();
    await client.device.heartbeat({
      body: { agent_version: '1', applied_version: 999_999, queued: 0, dropped: 0, problems: [] },
    });
    expect((await device(id)).applied_version).toBe(version);
  });

  test('a flow of the future begins now', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-clock');
    const flows = [{ ...flow, started_at: '9999-01-01T00:00:00.000Z' }];
    await client.device.reportFlows({ body: { batch_id: 'batch-future', flows } });
    const { results } = await service.byOwner.flows.listFlows({ query: { device: id } });
    expect(Date.parse(results[0]?.started_at ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('a device that fell silent is offline', async () => {
    const { id, client } = await enrollDevice(service, 'hardware-silent');
    await client.device.getConfig();
    const now = Date.now();
    service.setTime(now + 89_000);
    const soon = (await device(id)).online;
    service.setTime(now + 95_000);
    const later = (await device(id)).online;
    service.setTime(undefined);
    expect([soon, later]).toEqual([true, false]);
  });

  test('the channel requires a device certificate', async () => {
    const { root } = await readProfile(service);
    const { socket } = openChannel({ tls: { ca: root } as TestDevice['tls'] });
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(401);
  });

  test('devices are found by name, and the list is paged', async () => {
    const { listDevices } = service.byOwner.devices;
    const all = await listDevices({ query: { search: 'MACBOOK', limit: 1 } });
    expect(all.results).toHaveLength(1);
    expect(all.count).toBeGreaterThan(5);
    expect((await listDevices({ query: { search: '100%' } })).count).toBe(0);
  });
});
