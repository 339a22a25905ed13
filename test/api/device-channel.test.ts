import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ChannelPush, DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import { databases } from '../support/databases.ts';
import { setUpDevices } from '../support/devices.ts';
import { pollUntil } from '../support/processes.ts';
import { enrollDevice, readProfile, type TestDevice } from '../support/device.ts';
import { flow } from '../support/sample-flow.ts';

describe.each(databases)('devices on %s', (kind) => {
  const world = setUpDevices(kind);
  const { device, enable } = world;

  const openChannel = ({ tls }: Pick<TestDevice, 'tls'>) => {
    const url = world.service.urls.device.replace('https', 'wss') + DEVICE_CHANNEL_PATH;
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
  test('a change reaches a connected device, which acknowledges it; closing the channel makes it offline', async () => {
    const enrolled = await enrollDevice(world.service, 'hardware-channel');
    const { socket, until } = openChannel(enrolled);
    await until((push) => !push.config.capture_enabled);
    const layer = await enable(['api.openai.com'], { layer: 'device', scope: enrolled.id });
    const push = await until(({ config }) => config.version >= layer.version);
    expect(push.config).toMatchObject({
      capture_enabled: true,
      intercept_hosts: ['api.openai.com'],
    });
    socket.send(JSON.stringify({ type: 'applied', version: push.config.version }));
    const applied = await pollUntil(
      () => device(enrolled.id),
      (one) => one.applied_version >= layer.version,
    );
    expect(applied.online).toBe(true);
    socket.close();
    await pollUntil(
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

  test('a channel is closed as soon as the certificate that opened it is revoked', async () => {
    const first = await enrollDevice(world.service, 'hardware-cut-off');
    const { socket, until } = openChannel(first);
    await until(() => true);
    const closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve([code, reason.toString()])),
    );
    await enrollDevice(world.service, 'hardware-cut-off');
    expect(await closed).toEqual([1008, 'the device certificate is revoked']);
  });

  test('a device cannot report a version that does not exist as applied', async () => {
    const { id, client } = await enrollDevice(world.service, 'hardware-boaster');
    const { version } = await client.device.getConfig();
    await client.device.heartbeat({
      body: { agent_version: '1', applied_version: 999_999, queued: 0, dropped: 0, problems: [] },
    });
    expect((await device(id)).applied_version).toBe(version);
  });

  test('a flow with a start in the future starts now', async () => {
    const { id, client } = await enrollDevice(world.service, 'hardware-clock');
    const flows = [{ ...flow, started_at: '9999-01-01T00:00:00.000Z' }];
    await client.device.reportFlows({ body: { batch_id: 'batch-future', flows } });
    const { results } = await world.service.byOwner.flows.listFlows({ query: { device: id } });
    expect(Date.parse(results[0]?.started_at ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('a device without recent contact is offline', async () => {
    const { id, client } = await enrollDevice(world.service, 'hardware-silent');
    await client.device.getConfig();
    const seen = Date.parse((await device(id)).last_seen);
    world.service.setTime(seen + 89_000);
    const soon = (await device(id)).online;
    world.service.setTime(seen + 91_000);
    const later = (await device(id)).online;
    world.service.setTime(undefined);
    expect([soon, later]).toEqual([true, false]);
  });

  test('the channel requires a device certificate', async () => {
    const { root } = await readProfile(world.service);
    const { socket } = openChannel({ tls: { ca: root } as TestDevice['tls'] });
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(401);
  });
});
