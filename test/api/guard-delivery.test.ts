import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GuardConfig } from '#contract/guard.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { deviceClient, enrollDevice, type TestDevice } from '../support/device.ts';
import { openChannel } from '../support/device-channel.ts';
import { freePort, built, pollUntil, startProgram } from '../support/processes.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const [claude, openai] = ['claude.ai', 'api.openai.com'] as const;

describe.each(databases)('a change of Guard on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const putGlobal = (config: GuardConfig) =>
    service.byOwner.guard.putLayer({ body: { layer: 'global', config } });
  const capture = (...hosts: string[]) =>
    putGlobal({ capture_enabled: true, intercept_hosts: hosts });
  const connect = (device: TestDevice) => openChannel(service.urls.device, device.tls);
  const shown = (id: string) => service.byOwner.devices.getDevice({ params: { id } });

  test('reaches every connected device, and the list shows what each has acknowledged', async () => {
    const devices = await Promise.all(
      ['hardware-a1', 'hardware-a2', 'hardware-a3'].map((id) => enrollDevice(service, id)),
    );
    const lines = await Promise.all(devices.map(connect));
    const { version } = await capture(claude);
    for (const line of lines) {
      const config = await line.waitForVersion(version);
      expect(config).toMatchObject({ capture_enabled: true, intercept_hosts: [claude] });
      line.acknowledge(config.version);
    }
    const ids = devices.map(({ id }) => id);
    const applied = await pollUntil(
      async () => {
        const { results } = await service.byOwner.devices.listDevices({ query: { limit: 100 } });
        return results.filter(({ id }) => ids.includes(id));
      },
      (found) => found.every(({ applied_version }) => applied_version === version),
    );
    expect(applied.map(({ online }) => online)).toEqual([true, true, true]);
    for (const { socket } of lines) socket.close();
  });

  test('reaches a device over its latest channel, the only one that stays open', async () => {
    const device = await enrollDevice(service, 'hardware-lines');
    const first = await connect(device);
    const second = await connect(device);
    expect(await first.closed).toEqual([4409, 'the device has opened another channel']);
    const { version } = await capture(claude);
    await second.waitForVersion(version);
    expect((await shown(device.id)).online).toBe(true);
    second.socket.close();
  });

  test('gives each device the result of its own layers', async () => {
    const finance = await enrollDevice(service, 'hardware-group', { userGroup: 'finance' });
    const own = await enrollDevice(service, 'hardware-own', { userGroup: 'finance' });
    const other = await enrollDevice(service, 'hardware-other', { hosts: openai });
    const lines = await Promise.all([finance, own, other].map(connect));
    const { guard } = service.byOwner;
    await putGlobal({});
    await guard.putLayer({
      body: { layer: 'user_group', scope: 'finance', config: { blocked_hosts: ['a.example'] } },
    });
    const { version } = await guard.putLayer({
      body: { layer: 'device', scope: own.id, config: { blocked_hosts: ['b.example'] } },
    });
    const configs = await Promise.all(lines.map((line) => line.waitForVersion(version)));
    expect(configs.map(({ blocked_hosts }) => blocked_hosts)).toEqual([
      ['a.example'],
      ['b.example'],
      [],
    ]);
    expect(configs.map(({ intercept_hosts }) => intercept_hosts)).toEqual([[], [], [openai]]);
    for (const { socket } of lines) socket.close();
  });

  test('reaches a device that was offline when it reconnects', async () => {
    const device = await enrollDevice(service, 'hardware-away');
    const before = await connect(device);
    await before.waitForVersion(0);
    before.socket.close();
    await pollUntil(
      () => shown(device.id),
      ({ online }) => !online,
    );
    const { version } = await capture(openai);
    const after = await connect(device);
    const config = await after.waitForVersion(0);
    expect(config).toMatchObject({ version, intercept_hosts: [openai] });
    after.acknowledge(version);
    const one = await pollUntil(
      () => shown(device.id),
      ({ applied_version }) => applied_version === version,
    );
    expect(one).toMatchObject({ online: true, config_version: version });
    after.socket.close();
  });

  test('is pending only on the devices that it affects', async () => {
    const finance = await enrollDevice(service, 'hardware-target-1', { userGroup: 'finance' });
    const own = await enrollDevice(service, 'hardware-target-2');
    const other = await enrollDevice(service, 'hardware-target-3');
    const targets = async () =>
      Promise.all([finance, own, other].map(async ({ id }) => (await shown(id)).config_version));
    const { version: everywhere } = await putGlobal({ blocked_hosts: ['all.example'] });
    expect(await targets()).toEqual([everywhere, everywhere, everywhere]);
    const { guard } = service.byOwner;
    const put = (layer: 'device' | 'user_group', scope: string) =>
      guard.putLayer({ body: { layer, scope, config: { blocked_hosts: ['c.example'] } } });
    const { version: ofDevice, id } = await put('device', own.id);
    const { version: ofGroup } = await put('user_group', 'finance');
    expect(await targets()).toEqual([ofGroup, ofDevice, everywhere]);
    await guard.deleteLayer({ params: { id } });
    const [, removed] = await targets();
    expect(removed).toBeGreaterThan(ofGroup);
    expect(await targets()).toEqual([ofGroup, removed, everywhere]);
  });

  test('is sent once if many follow each other quickly', async () => {
    const line = await connect(await enrollDevice(service, 'hardware-quick'));
    await line.waitForVersion(0);
    const pushedBefore = line.pushes.length;
    const changes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => putGlobal({ blocked_hosts: [`${i}.example`] })),
    );
    const version = Math.max(...changes.map((change) => change.version));
    const last = changes.find((change) => change.version === version);
    expect((await line.waitForVersion(version)).blocked_hosts).toEqual(last?.config.blocked_hosts);
    // On a busy machine they may arrive one by one, but never twice.
    const versions = line.pushes.slice(pushedBefore).map((config) => config.version);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    line.socket.close();
  });

  test('cannot be acknowledged before it exists or with an invalid message', async () => {
    const device = await enrollDevice(service, 'hardware-boast');
    const line = await connect(device);
    const { version } = await line.waitForVersion(0);
    line.acknowledge(999_999);
    const one = await pollUntil(
      () => shown(device.id),
      ({ applied_version }) => applied_version > 0,
    );
    expect(one.applied_version).toBe(version);
    line.socket.send('{"type": "hello"}');
    expect(await line.closed).toMatchObject([1007, expect.stringContaining('applied')]);
  });

  test('is also returned by config/, and is not sent again to devices that have it', async () => {
    const { tls } = await enrollDevice(service, 'hardware-polls');
    const { createHttpsFetch } = await import('#agent/node/link/https-fetch.ts');
    const { Agent } = await import('node:https');
    const agent = new Agent({ ...tls, keepAlive: false });
    const get = createHttpsFetch({ agent, timeoutMs: PATIENCE_MS, maxBytes: 100_000 });
    const fetchConfig = (tag?: string) =>
      get(`${service.urls.device}/api/svc/v1/endpoint/config/`, {
        method: 'GET',
        headers: tag === undefined ? {} : { 'If-None-Match': tag },
      });
    const first = await fetchConfig();
    const tag = first.headers.get('etag') ?? '';
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{20,}"$/)]);
    expect((await first.json()) as object).toHaveProperty('intercept_hosts');
    const known = await Promise.all([tag, `W/${tag}`, `"other", ${tag}`, '*'].map(fetchConfig));
    expect(known.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
    const { version } = await capture(claude, openai);
    const changed = await fetchConfig(tag);
    expect([changed.status, await changed.json()]).toMatchObject([200, { version }]);
  });
});

describe.each(databases)('a change of masking on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const rules = {
    keys: [{ key: 'customer', type: 'CUSTOMER' }],
    patterns: [{ name: 'PROJECT', pattern: 'project-[a-z]+' }],
  };
  const put = (enabled: boolean, retention_days: number | null, own = rules) =>
    service.byOwner.settings.putRecordingSettings({
      body: { retention_days, masking: { enabled, builtin: [], ...own } },
    });
  const versionNow = async () => (await service.byOwner.guard.resolveGuard({ query: {} })).version;

  test('reaches connected devices as a new version, and is not a Guard setting', async () => {
    const device = await enrollDevice(service, 'hardware-masking');
    const line = await openChannel(service.urls.device, device.tls);
    const before = await line.waitForVersion(0);
    expect(before.masking).toEqual({ keys: [], patterns: [] });
    await put(true, null);
    const config = await line.waitForVersion(before.version + 1);
    expect(config.masking).toEqual(rules);
    await put(false, null);
    expect((await line.waitForVersion(config.version + 1)).masking).toEqual({
      keys: [],
      patterns: [],
    });
    const { effective_config } = await service.byOwner.devices.getDevice({
      params: { id: device.id },
    });
    expect(effective_config).not.toHaveProperty('masking');
    const layer = { layer: 'global' as const, config: { masking: rules } as GuardConfig };
    await expect(service.byOwner.guard.putLayer({ body: layer })).rejects.toMatchObject({
      status: 400,
    });
    line.socket.close();
  });

  test('is part of the configuration after enrollment', async () => {
    await put(true, null);
    const device = await enrollDevice(service, 'hardware-asking');
    const config = await deviceClient(service.urls.device, device.tls).device.getConfig();
    expect(config.masking).toEqual(rules);
  });

  test('creates no version if the rules of devices stay the same', async () => {
    await put(true, null);
    const version = await versionNow();
    await put(true, 30);
    expect(await versionNow()).toBe(version);
    await put(true, 30, { ...rules, keys: [] });
    expect(await versionNow()).toBe(version + 1);
  });

  test('results in the same rules on devices as in the settings, also with concurrent changes', async () => {
    const device = await enrollDevice(service, 'hardware-many');
    const line = await openChannel(service.urls.device, device.tls);
    const keysOf = (i: number) => ({ ...rules, keys: [{ key: `k${i % 2}`, type: 'K' }] });
    await Promise.all(Array.from({ length: 12 }, (_, i) => put(true, null, keysOf(i))));
    const { keys } = (await service.byOwner.settings.getRecordingSettings()).masking;
    expect((await line.waitForVersion(await versionNow())).masking?.keys).toEqual(keys);
    line.socket.close();
  });
});

describe.each(databases)('an identity revoked directly in the database on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());

  test('receives no further configuration', async () => {
    const service = { ...tenants, ...tenants.one } as unknown as TestControlPlane;
    const { id, tls } = await enrollDevice(service, 'hardware-stolen');
    const line = await openChannel(tenants.urls.device, tls);
    await line.waitForVersion(0);
    const pushedBefore = line.pushes.length;
    await tenants.storage.db
      .updateTable('device_identities')
      .set({ revoked_at: Date.now() })
      .where('device_id', '=', id)
      .execute();
    await service.byOwner.guard.putLayer({
      body: { layer: 'global', config: { capture_enabled: false } },
    });
    expect(await line.closed).toEqual([1008, 'the device certificate is revoked']);
    expect(line.pushes).toHaveLength(pushedBefore);
  });
});

test('two control planes on one PostgreSQL server both push to their devices', async () => {
  const secret = 'a secret key that both control planes have 0123456789';
  const service = await startTestControlPlane('postgres', { SECRET_KEY: secret });
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-second-'));
  const devicePort = await freePort();
  const second = startProgram(built.controlPlane, {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DEVICE_PORT: String(devicePort),
    DATA_DIR: folder,
    DATABASE_URL: service.databaseUrl ?? '',
    SECRET_KEY: secret,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
  });
  try {
    await second.waitForOutput('devices ');
    const url = `https://localhost:${devicePort}`;
    const [one, other] = await Promise.all(
      ['hardware-here', 'hardware-there'].map((id) => enrollDevice(service, id)),
    );
    const here = await openChannel(service.urls.device, one?.tls ?? {});
    const there = await openChannel(url, other?.tls ?? {});
    const { version } = await service.byOwner.guard.putLayer({
      body: { layer: 'global', config: { capture_enabled: true, intercept_hosts: [claude] } },
    });
    for (const line of [here, there])
      line.acknowledge((await line.waitForVersion(version)).version);
    const applied = await pollUntil(
      async () => (await service.byOwner.devices.listDevices({ query: {} })).results,
      (all) => all.every(({ applied_version }) => applied_version === version),
    );
    expect(applied).toHaveLength(2);
    expect((await deviceClient(url, other?.tls ?? {}).device.getConfig()).version).toBe(version);
  } finally {
    await second.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
