import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { describeCertificate } from '#pki/certificate.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { databases } from '../support/databases.ts';
import {
  captureRequest,
  description,
  deviceClient,
  enrollDevice,
  readProfile,
} from '../support/device.ts';
import { setUpDevices } from '../support/devices.ts';

describe.each(databases)('devices on %s', (kind) => {
  const world = setUpDevices(kind);
  const { guard, device, enable } = world;

  test('the profile contains a separate key that can only enroll', async () => {
    const { apiKey, config } = await readProfile(world.service);
    expect(config).toEqual({
      api_url: world.service.urls.device,
      api_key: expect.stringMatching(/^svc_sk_/) as string,
      capture_enabled: false,
      intercept_hosts: [],
      intercept_processes: [],
    });
    const client = world.service.by({ 'X-Svc-Key': apiKey });
    await expect(client.recording.startRun({ body: { agent_name: 'a' } })).rejects.toMatchObject({
      status: 403,
    });
    const keys = await world.service.byOwner.identity.listApiKeys();
    expect(keys.results.find((key) => key.name.startsWith('Profile of'))?.permissions).toEqual([
      'enroll',
    ]);
  });

  test('the profile rejects hosts outside the catalog and names them', async () => {
    const refused = world.service.byKey.deployment.getMdmProfile({
      query: { hosts: 'api.openai.com,bank.example' },
    });
    await expect(refused).rejects.toMatchObject({ status: 400, message: /bank\.example/ as never });
  });

  test('enrollment issues an identity for mutual TLS and, without capture, no intermediate', async () => {
    const { id, enrollment, client } = await enrollDevice(world.service, 'hardware-plain');
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
    "the profile's hosts are the base layer and limit the device's intermediate",
    { tags: ['openssl'] },
    async () => {
      const { id, enrollment } = await enrollDevice(world.service, 'hardware-hosts', {
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

  test('enrolling again keeps the device; certificates of the old keys are revoked', async () => {
    const first = await enrollDevice(world.service, 'hardware-again');
    const second = await enrollDevice(world.service, 'hardware-again');
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
    const { apiKey, root } = await readProfile(world.service);
    const csr = await createCsr({ ...(await generateKeyPair()), commonName: 'x' });
    const body = {
      ...description,
      hardware_id: 'hardware-bad',
      identity_csr: csr,
      ca_csr: await captureRequest(),
      ...given,
    };
    const client = deviceClient(
      world.service.urls.device,
      { ca: root },
      { 'X-Svc-Key': key ?? apiKey },
    );
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

  test('requests that must not get a certificate are rejected', { tags: ['openssl'] }, async () => {
    const victim = await enrollDevice(world.service, 'hardware-victim');
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

  test('a device can renew only its own certificates, and gets the hosts enabled at that time', async () => {
    const mine = await enrollDevice(world.service, 'hardware-renew');
    const other = await enrollDevice(world.service, 'hardware-other');
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

  test('an expired identity is rejected with its expiry date', async () => {
    const { client, enrollment } = await enrollDevice(world.service, 'hardware-expired');
    const { notAfter } = describeCertificate(enrollment.identity_certificate);
    world.service.setTime(notAfter + 1000);
    const refused = await client.device.getConfig().catch((error: Error) => error.message);
    world.service.setTime(undefined);
    expect(refused).toBe(`the device certificate expired on ${new Date(notAfter).toISOString()}`);
  });
});
