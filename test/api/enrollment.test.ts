import 'reflect-metadata';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { X509Crl } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { createCsr } from '#pki/csr.ts';
import { databases } from '../support/databases.ts';
import { openChannel } from '../support/device-channel.ts';
import { captureRequest, description, enrollDevice } from '../support/device.ts';
import {
  openKeepAliveConnection,
  setUpEnrollment,
  type NewComputer,
} from '../support/enrollment.ts';

const HOUR = 3_600_000;

const loopback = /^(127\.0\.0\.1|::1)$/;
/** What the device reports about itself. */
const { hostname, user, os, os_version } = description;
const own = { hostname, user, os, os_version };

describe.each(databases)('enrollment on %s', (kind) => {
  const world = setUpEnrollment(kind);
  const { admin, putSettings, newComputer, enrollmentClient, enroll, lastEntryOf, errorLineOf } =
    world;

  const device = (id: string) => world.service.byOwner.devices.getDevice({ params: { id } });

  /** Requests enrollment; returns the id of the pending device. */
  const waiting = async (one: NewComputer, search = hostname): Promise<string> => {
    const error = await enroll(one).then(
      () => null,
      (caught: { status: number; code: string; retryAfter: number }) => caught,
    );
    expect(error).toMatchObject({ status: 202, code: 'pending', retryAfter: 60 });
    const { results } = await world.service.byOwner.devices.listDevices({
      query: { search, limit: 100 },
    });
    const found = await Promise.all(results.map(({ id }) => device(id)));
    return found.find(({ waiting: since }) => since !== null)?.id ?? '';
  };

  describe('with approval', () => {
    beforeAll(async () => void (await putSettings({ require_approval: true })));
    afterAll(async () => void (await putSettings({})));

    test('a device waits without certificates until an admin approves it', async () => {
      const one = await newComputer('hardware-waiting');
      const id = await waiting(one);
      expect(await device(id)).toMatchObject({ status: 'pending', identity: null, online: false });
      // A repeated request belongs to the same device and keeps its waiting time.
      const { waiting: since } = await device(id);
      expect(await waiting(one)).toBe(id);
      expect((await device(id)).waiting).toEqual(since);
      expect(await admin().approveDevice({ params: { id }, body: {} })).toEqual({
        id,
        hostname: description.hostname,
        user: description.user,
        status: 'active',
      });
      const enrolled = await enroll(one);
      expect(enrolled.id).toBe(id);
      await enrolled.client.getConfig();
      expect(await device(id)).toMatchObject({ status: 'active', waiting: null });
      expect(await errorLineOf(admin().approveDevice({ params: { id }, body: {} }))).toBe(
        `409 device ${id} is not waiting for approval`,
      );
      // With the approved key the device can enroll again, even if it has lost its certificate.
      await enroll(one);
    });

    test('the response on the wire also says that the device has to wait', async () => {
      const { keys, hardware_id } = await newComputer('hardware-on-the-wire');
      const csr = await createCsr({ ...keys, commonName: hardware_id });
      const body = {
        ...description,
        hardware_id,
        identity_csr: csr,
        ca_csr: await captureRequest(),
      };
      const agent = new Agent({ ca: world.profile.root });
      const sent = request(`${world.service.urls.device}/api/svc/v1/endpoint/enroll/`, {
        method: 'POST',
        agent,
        headers: { 'X-Svc-Key': world.profile.apiKey, 'Content-Type': 'application/json' },
      });
      sent.end(JSON.stringify(body));
      const [answer] = await once(sent, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      agent.destroy();
      const parsed = JSON.parse(Buffer.concat(chunks).toString()) as { device_id: string };
      expect([answer.statusCode, answer.headers['retry-after'], parsed]).toEqual([
        202,
        '60',
        { status: 'pending', device_id: expect.stringMatching(/^dev_/) as string, retry_after: 60 },
      ]);
      await admin().revokeDevice({ params: { id: parsed.device_id }, body: {} });
    });

    test('a request for an active device with another key waits, and does not affect the device', async () => {
      const one = await newComputer('hardware-at-work');
      const id = await waiting(one);
      await admin().approveDevice({ params: { id }, body: {} });
      const { client } = await enroll(one);
      const impostor = await newComputer('hardware-at-work');
      expect(await waiting(impostor)).toBe(id);
      await client.getConfig();
      const shown = await device(id);
      expect(shown).toMatchObject({ status: 'active', identity: expect.anything() as unknown });
      const another = await newComputer('hardware-at-work');
      await waiting(another);
      // The admin approves only the key that was shown.
      const key = shown.waiting?.key ?? '';
      expect(await errorLineOf(admin().approveDevice({ params: { id }, body: { key } }))).toBe(
        `409 device ${id} has since requested enrollment with another key`,
      );
      const now = (await device(id)).waiting?.key ?? '';
      await admin().approveDevice({ params: { id }, body: { key: now } });
      expect(await errorLineOf(enroll(impostor))).toMatch(/^202/);
      await enroll(another);
      expect(await errorLineOf(client.getConfig())).toBe('401 the device certificate is revoked');
    });

    test('a pending request is shown with the device whose identity it requests', async () => {
      const one = await newComputer('hardware-disputed');
      const id = await waiting(one);
      const since = (await device(id)).enrolled_at;
      await admin().approveDevice({ params: { id }, body: {} });
      await enroll(one);
      const impostor = {
        ...(await newComputer('hardware-disputed')),
        descriptionOverrides: {
          hostname: 'kali',
          user: 'mallory',
          os: 'linux',
          os_version: 'Kali 2026.3',
        },
      };
      await waiting(impostor, description.hostname);
      const shown = await device(id);
      expect(shown).toMatchObject({ ...own, status: 'active' });
      const { key } = shown.waiting ?? {};
      const asked_as = {
        ...impostor.descriptionOverrides,
        address: expect.stringMatching(loopback) as string,
      };
      expect(shown.waiting).toEqual({ key, since: expect.any(String) as string, ...asked_as });
      expect(Date.parse(shown.enrolled_at)).toBeGreaterThan(Date.parse(since));
      await admin().approveDevice({ params: { id }, body: {} });
      expect((await device(id)).waiting).toBeNull();
      expect(await lastEntryOf(id)).toMatchObject({
        action: 'device.approve',
        metadata: { key, asked_as },
      });
    });

    test('a repeated request does not change the enrollment time', async () => {
      // In the past, so that the next log entry is later.
      const begun = Date.now() - HOUR;
      world.service.setTime(begun);
      const one = await newComputer('hardware-asking-again');
      const id = await waiting(one);
      const { enrolled_at } = await device(id);
      expect(Date.parse(enrolled_at)).toBe(begun);
      world.service.setTime(begun + HOUR / 2);
      await enroll(one).catch(() => undefined);
      expect((await device(id)).enrolled_at).toBe(enrolled_at);
      await admin().approveDevice({ params: { id }, body: {} });
      await enroll(one);
      expect(Date.parse((await device(id)).enrolled_at)).toBe(begun + HOUR / 2);
    });

    test('after the setting is disabled, waiting devices are enrolled', async () => {
      const one = await newComputer('hardware-let-in');
      await waiting(one);
      await putSettings({ require_approval: false });
      await enroll(one);
      await putSettings({ require_approval: true });
    });
  });

  test('settings are stored exactly as sent', async () => {
    const put = { require_approval: false, new_devices_per_hour: 500 };
    expect(await putSettings(put)).toEqual(put);
    expect(await world.service.byOwner.enrollment.getEnrollmentSettings()).toEqual(put);
    await putSettings({});
    expect(await errorLineOf(putSettings({ colour: 1 } as never))).toMatch(/^400 .*colour/);
    expect(await errorLineOf(putSettings({ new_devices_per_hour: 0 }))).toMatch(
      /^400 new_devices_per_hour/,
    );
  });

  test('a revoked device is disconnected at once and refused until it is restored', async () => {
    const one = await newComputer('hardware-revoked');
    const { id, tls, client } = await enroll(one);
    const socket = new WebSocket(
      world.service.urls.device.replace('https', 'wss') + DEVICE_CHANNEL_PATH,
      tls,
    );
    await once(socket, 'message');
    const closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve([code, reason.toString()])),
    );
    // Opened first, so it would be the first to be closed for being idle.
    const bystander = await enroll(await newComputer('hardware-bystander'));
    const other = await openKeepAliveConnection(world.service, bystander.tls);
    const own = await openKeepAliveConnection(world.service, tls);
    const cut = once(own, 'close');

    const revoked = await admin().revokeDevice({ params: { id }, body: { reason: 'lost' } });
    expect(revoked.status).toBe('revoked');
    expect(await closed).toEqual([1008, 'the device certificate is revoked']);
    await cut;
    expect(other.destroyed).toBe(false);
    other.destroy();
    const csr = await createCsr({ ...one.keys, commonName: id });
    expect([
      await errorLineOf(client.getConfig()),
      await errorLineOf(
        client.renew({ body: { identity_csr: csr, ca_csr: await captureRequest() } }),
      ),
      await errorLineOf(enroll(one)),
      await errorLineOf(enroll(await newComputer('hardware-revoked'))),
      await errorLineOf(admin().revokeDevice({ params: { id }, body: {} })),
      await errorLineOf(admin().approveDevice({ params: { id }, body: {} })),
    ]).toEqual([
      '401 the device certificate is revoked',
      '401 the device certificate is revoked',
      `403 device ${id} is revoked and cannot enroll again`,
      `403 device ${id} is revoked and cannot enroll again`,
      `409 device ${id} is already revoked`,
      `409 device ${id} is not waiting for approval`,
    ]);
    expect(await device(id)).toMatchObject({ status: 'revoked', identity: null });

    const restored = await admin().restoreDevice({ params: { id }, body: {} });
    expect(restored.status).toBe('pending');
    expect(await errorLineOf(client.getConfig())).toBe('401 the device certificate is revoked');
    const again = await enroll(one);
    expect(again.id).toBe(id);
    await again.client.getConfig();
    expect(await errorLineOf(admin().restoreDevice({ params: { id }, body: {} }))).toBe(
      `409 device ${id} is not revoked`,
    );
  });

  test.each([
    ['hardware_id', 'evil-000\n\u202ehardware'],
    ['hostname', 'a\u001b[31m'],
    ['hostname', 'a\nb'],
    ['os', '\u2066linux'],
    ['os_version', '26\u2028'],
    ['agent_version', '1\t0'],
    ['user', 'ada\u200f'],
    ['user_group', '\u0085'],
  ])('a device whose %s is %j is rejected', async (field, value) => {
    const { keys } = await newComputer('');
    const identity_csr = await createCsr({ ...keys, commonName: 'x' });
    const ca_csr = await captureRequest();
    const body = { ...description, hardware_id: 'hardware-strange', identity_csr, ca_csr };
    expect(
      await errorLineOf(enrollmentClient().enroll({ body: { ...body, [field]: value } })),
    ).toBe(
      `400 ${field}: expected text without control characters, line breaks or direction marks`,
    );
  });

  test('names in any script are accepted', async () => {
    const descriptionOverrides = { hostname: 'Mac de Zoë 👩‍💻', user: 'سارا‌جان' };
    const { id } = await enroll({
      ...(await newComputer('hardware-letters')),
      descriptionOverrides,
    });
    expect(await device(id)).toMatchObject(descriptionOverrides);
  });

  test('one key for both requests is rejected, also for a renewal', async () => {
    const { keys, hardware_id } = await newComputer('hardware-one-key');
    const csr = await createCsr({ ...keys, commonName: 'x' });
    const both = { identity_csr: csr, ca_csr: await createCsr({ ...keys, commonName: 'y' }) };
    const { client } = await enroll({ keys, hardware_id });
    const refused = '400 ca_csr: expected a key other than that of identity_csr';
    const body = { ...description, hardware_id, ...both };
    expect(await errorLineOf(enrollmentClient().enroll({ body }))).toBe(refused);
    expect(await errorLineOf(client.renew({ body: both }))).toBe(refused);
  });

  test('a channel ends when its certificate expires', async () => {
    const { tls, id } = await enroll(await newComputer('hardware-expiring'));
    const identity = (await device(id)).identity;
    const expiry = Date.parse(identity?.expires_at ?? '');
    world.service.setTime(expiry - 500);
    const line = await openChannel(world.service.urls.device, tls);
    await line.waitForVersion(0);
    world.service.setTime(expiry);
    expect(await line.closed).toEqual([
      1008,
      `the device certificate expired on ${new Date(expiry).toISOString()}`,
    ]);
  });

  test('permissions that a device has lost no longer apply with earlier certificates', async () => {
    const one = await enrollDevice(world.service, 'hardware-narrowed', {
      hosts: 'api.openai.com,claude.ai',
    });
    const { results } = await world.service.byKey.authorities.listAuthorities();
    const revokedNow = async () => {
      const id = results.find(({ state }) => state === 'active')?.id ?? '';
      const answer = await fetch(
        `${world.service.urls.public}/api/svc/v1/endpoint/crl/?authority=${id}`,
      );
      const crl = new X509Crl(Buffer.from(await answer.arrayBuffer()));
      return new Set(crl.entries.map(({ serialNumber }) => serialNumber.toUpperCase()));
    };
    const { serial } = describeCertificate(one.enrollment.intermediate_certificate ?? '');
    expect(await revokedNow()).not.toContain(serial);
    await world.service.byOwner.guard.putLayer({
      body: { layer: 'device', scope: one.id, config: { intercept_hosts: ['claude.ai'] } },
    });
    const csr = await createCsr({ ...one.identity, commonName: one.id });
    const renewed = await one.client.device.renew({
      body: { identity_csr: csr, ca_csr: await captureRequest() },
    });
    expect(describeCertificate(renewed.intermediate_certificate ?? '').permittedHosts).toEqual([
      'claude.ai',
    ]);
    expect(await revokedNow()).toContain(serial);
  });
});
