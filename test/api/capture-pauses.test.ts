import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceConfig } from '#contract/device-protocol.ts';
import type { GuardConfig } from '#contract/guard.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { openChannel } from '../support/device-channel.ts';

const MINUTE = 60_000;
const heartbeat = { agent_version: '1', applied_version: 0, queued: 0, dropped: 0, problems: [] };
const iso = (ms: number): string => new Date(ms).toISOString();

describe.each(databases)('pauses of capture on %s', (kind) => {
  let service: TestControlPlane;
  let device: TestDevice;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    device = await enrollDevice(service, 'hardware-pauses', { userGroup: 'finance' });
  });
  afterAll(() => service.stop());

  const put = (config: GuardConfig) =>
    service.byOwner.guard.putLayer({ body: { layer: 'global', config } });
  const configuration = async () => deviceConfig.parse(await device.client.device.getConfig());
  const detail = (id = device.id) => service.byOwner.devices.getDevice({ params: { id } });
  const listed = async (id = device.id) => {
    const { results } = await service.byOwner.devices.listDevices({ query: { limit: 100 } });
    return results.find((one) => one.id === id)?.capture_pause;
  };

  test.each<[string, GuardConfig, number]>([
    ['no layer sets one', {}, 0],
    ['a layer allows 30 minutes', { pause_minutes: 30 }, 30],
    ['a layer forbids pauses', { pause_minutes: 0 }, 0],
    ['policies are enforced too', { pause_minutes: 30, enforce_policies: true }, 0],
  ])('a device receives the maximum pause: %s', async (_, config, minutes) => {
    await put(config);
    expect(await configuration()).toMatchObject({ pause_minutes: minutes });
  });

  test('the user group of a device overrides the global setting', async () => {
    await put({ pause_minutes: 30 });
    const layer = await service.byOwner.guard.putLayer({
      body: { layer: 'user_group', scope: 'finance', config: { pause_minutes: 0 } },
    });
    expect((await configuration()).pause_minutes).toBe(0);
    await service.byOwner.guard.deleteLayer({ params: { id: layer.id } });
    expect((await configuration()).pause_minutes).toBe(30);
  });

  test.each([-1, 481, 1.5])('%s minutes are rejected', async (pause_minutes) => {
    await expect(put({ pause_minutes })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('pause_minutes'),
    });
  });

  test("a device's configuration names the source and time of each field", async () => {
    const { updated_at } = await put({ capture_enabled: true, intercept_hosts: ['claude.ai'] });
    const { origins } = await configuration();
    expect(origins).toMatchObject({
      capture_enabled: { source: 'global', set_at: updated_at },
      intercept_hosts: { source: 'global', set_at: updated_at },
      blocked_hosts: { source: 'default', set_at: null },
    });
    const line = await openChannel(service.urls.device, device.tls);
    const { version } = await put({ capture_enabled: false });
    expect((await line.waitForVersion(version)).origins).toMatchObject({
      capture_enabled: { source: 'global' },
      intercept_hosts: { source: 'default' },
    });
    line.socket.close();
  });

  test('a layer that switches one host on is the source of that host alone', async () => {
    await put({ capture_enabled: true, intercept_hosts: ['api.openai.com'] });
    const { id } = await service.byOwner.guard.putLayer({
      body: {
        layer: 'device',
        scope: device.id,
        config: { host_overrides: { 'claude.ai': true } },
      },
    });
    const { origins, host_sources } = await configuration();
    await service.byOwner.guard.deleteLayer({ params: { id } });
    expect(origins?.['intercept_hosts']?.source).toBe('device');
    expect(host_sources).toEqual({ 'api.openai.com': 'global', 'claude.ai': 'device' });
  });

  test('a pause is shown while it lasts, and kept once it is over', async () => {
    const began = Date.now();
    const pause = { id: 'first', user: 'ada', started_at: iso(began), minutes: 30 };
    const lasting = { ...pause, ended_at: null, ended_by: null };
    const shown = {
      user: 'ada',
      started_at: iso(began),
      ends_at: iso(began + 30 * MINUTE),
    };
    const beat = (...pauses: (typeof lasting)[]) =>
      device.client.device.heartbeat({ body: { ...heartbeat, pauses } });
    await beat(lasting);
    await beat(lasting);
    expect(await listed()).toEqual(shown);
    expect((await detail()).capture_pause).toEqual(shown);
    expect((await detail()).pauses).toEqual([
      { id: 'first', ...shown, minutes: 30, ended_at: null, ended_by: null },
    ]);

    const over = { ended_at: iso(began + MINUTE), ended_by: 'person' as const };
    service.setTime(began + 2 * MINUTE);
    await device.client.device.heartbeat({
      body: { ...heartbeat, pauses: [{ ...pause, ...over }] },
    });
    // A delayed report changes nothing.
    await beat(lasting);
    service.setTime(undefined);
    expect(await listed()).toBe(null);
    expect((await detail()).pauses).toEqual([{ id: 'first', ...shown, minutes: 30, ...over }]);
  });

  test('a pause whose end is never reported ends at its time', async () => {
    const mine = await enrollDevice(service, 'hardware-silent');
    const began = Date.now();
    const pauses = [
      {
        id: 'p',
        user: 'ada',
        started_at: iso(began),
        minutes: 15,
        ended_at: null,
        ended_by: null,
      },
    ];
    await mine.client.device.heartbeat({ body: { ...heartbeat, pauses } });
    expect(await listed(mine.id)).toMatchObject({ user: 'ada' });
    expect(await listed()).toBe(null);
    service.setTime(began + 15 * MINUTE);
    expect(await listed(mine.id)).toBe(null);
    service.setTime(undefined);
  });

  test('a fast clock on the device does not extend a pause', async () => {
    const mine = await enrollDevice(service, 'hardware-ahead');
    const pauses = [
      {
        id: 'p',
        user: 'ada',
        started_at: '2999-01-01T00:00:00.000Z',
        minutes: 15,
        ended_at: null,
        ended_by: null,
      },
    ];
    await mine.client.device.heartbeat({ body: { ...heartbeat, pauses } });
    const { ends_at = '' } = (await listed(mine.id)) ?? {};
    expect(Date.parse(ends_at)).toBeLessThanOrEqual(Date.now() + 15 * MINUTE);
  });

  test('the notes that the app shows reach devices', async () => {
    const notes = {
      contact: 'IT service desk',
      contact_address: 'it-help@example.com',
      newest_version: '1.4.0',
    };
    const line = await openChannel(service.urls.device, device.tls);
    const before = await configuration();
    await service.byOwner.appSettings.putAppSettings({ body: notes });
    expect((await line.waitForVersion(before.version + 1)).app).toEqual(notes);
    expect((await configuration()).app).toEqual(notes);
    expect(await service.byOwner.appSettings.getAppSettings()).toEqual(notes);
    line.socket.close();
  });

  test.each([
    [{ newest_version: 'latest' }, 'newest_version'],
    [{ contact: 'IT\nservice' }, 'contact'],
  ])('%j is rejected', async (bad, field) => {
    const body = { contact: null, contact_address: null, newest_version: null, ...bad };
    await expect(service.byOwner.appSettings.putAppSettings({ body })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(field),
    });
  });
});
