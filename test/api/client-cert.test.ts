import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoot, issueIdentity } from '#pki/authority.ts';
import { createCsr, readCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { openChannel } from '../support/device-channel.ts';
import {
  captureRequest,
  deviceClient,
  enrollDevice,
  type TestDevice,
  type Tls,
} from '../support/device.ts';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts';

const DAY = 86_400_000;

const derOf = (pem: string): Buffer => new X509Certificate(pem).raw;
const headerOf = (pem: string): string => `:${derOf(pem).toString('base64')}:`;

/** Devices whose TLS connection ends at a proxy (RFC 9440). */
describe.each(databases)('devices behind a proxy on %s', (kind) => {
  let service: TestControlPlane;
  let proxy: TlsProxy;
  let one: TestDevice;
  let other: TestDevice;
  beforeAll(async () => {
    service = await startTestControlPlane(kind, { CLIENT_CERT_PROXIES: '127.0.0.0/8,::1' });
    one = await enrollDevice(service, 'hardware-proxied-1');
    other = await enrollDevice(service, 'hardware-proxied-2');
    proxy = await startTlsProxy(service.urls.device, one.tls.ca);
  });
  afterAll(async () => {
    proxy.stop();
    await service.stop();
  });

  const through = ({ tls }: Pick<TestDevice, 'tls'>, headers = {}) =>
    deviceClient(proxy.url, { ...tls, ca: proxy.root }, headers).device;
  /** Sends requests directly, without the proxy. */
  const directly = (tls: Tls, header: string, to = service) =>
    deviceClient(to.urls.device, tls, { 'Client-Cert': header }).device;
  const outcomeOf = (response: Promise<unknown>) =>
    response.then(
      () => 'served',
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    );
  const who = async ({ identity }: TestDevice, by: ReturnType<typeof through>) => {
    const body = {
      identity_csr: await createCsr({ ...identity, commonName: 'renewing' }),
      ca_csr: await captureRequest(),
    };
    return (await by.renew({ body })).device_id;
  };

  test('each device is identified although they share the connection of the proxy', async () => {
    const before = proxy.upstreamConnectionCount();
    for (const device of [one, other, one])
      expect(await who(device, through(device))).toBe(device.id);
    expect(proxy.upstreamConnectionCount() - before).toBe(1);
  });

  test('a request without a certificate is not authenticated, whatever its headers contain', async () => {
    const anonymous = { tls: { ca: '' } as TestDevice['tls'] };
    const claims = { 'Client-Cert': headerOf(one.tls.cert) };
    expect(await outcomeOf(through(anonymous, claims).getConfig())).toBe(
      '401 a device certificate is required: enroll first',
    );
    // Headers that claim to be another device are ignored too.
    expect(await who(other, through(other, claims))).toBe(other.id);
  });

  test('each channel belongs to its device and closes when the certificate is revoked', async () => {
    const device = await enrollDevice(service, 'hardware-proxied-line');
    const line = await openChannel(proxy.url, { ...device.tls, ca: proxy.root });
    const beside = await openChannel(proxy.url, { ...one.tls, ca: proxy.root });
    await Promise.all([line.waitForVersion(0), beside.waitForVersion(0)]);
    await service.byKey.enrollment.revokeDevice({ params: { id: device.id }, body: {} });
    expect(await line.closed).toEqual([1008, 'the device certificate is revoked']);
    expect(await outcomeOf(through(device).getConfig())).toBe(
      '401 the device certificate is revoked',
    );
    const { version } = await service.byOwner.guard.putLayer({
      body: { layer: 'device', scope: one.id, config: { blocked_hosts: ['claude.ai'] } },
    });
    expect((await beside.waitForVersion(version)).blocked_hosts).toEqual(['claude.ai']);
    beside.socket.close();
  });

  test('expired certificates and those that were never issued are rejected', async () => {
    const forger = await createRoot({ name: 'Gatehouse Root CA', now: Date.now() });
    const csr = await readCsr(
      await createCsr({ ...(await generateKeyPair()), commonName: 'forged' }),
    );
    const forged = await issueIdentity(forger, { csr, deviceId: one.id, now: Date.now() });
    const { ca } = one.tls;
    expect(await outcomeOf(directly({ ca }, headerOf(forged)).getConfig())).toBe(
      '401 the device certificate is not one of ours',
    );
    service.setTime(Date.now() + 31 * DAY);
    expect(await outcomeOf(through(one).getConfig())).toMatch(
      /^401 the device certificate expired on/,
    );
    service.setTime(undefined);
    expect(await outcomeOf(through(one).getConfig())).toBe('served');
  });

  test('the certificate of the connection itself takes precedence over the header', async () => {
    expect(await who(other, directly(other.tls, headerOf(one.tls.cert)))).toBe(other.id);
  });

  test.each<[string, (pem: string) => string]>([
    ['nothing', () => ''],
    ['no colons', (pem) => derOf(pem).toString('base64')],
    ['nothing between colons', () => '::'],
    ['PEM', (pem) => encodeURIComponent(pem)],
    ['PEM as bytes', (pem) => `:${Buffer.from(pem).toString('base64')}:`],
    ['two', (pem) => `${headerOf(pem)}, ${headerOf(pem)}`],
    ['more after it', (pem) => `:${Buffer.concat([derOf(pem), Buffer.of(0)]).toString('base64')}:`],
    ['half of it', (pem) => `:${derOf(pem).subarray(0, 200).toString('base64')}:`],
    ['other letters', () => ':MIIB-_:'],
  ])('a proxy header with %s is rejected, and the error names the format', async (_, write) => {
    const { ca, cert } = one.tls;
    expect(await outcomeOf(directly({ ca }, write(cert)).getConfig())).toBe(
      '401 Client-Cert: expected one certificate as :base64 of DER: (RFC 9440)',
    );
  });

  test.each([
    ['no proxy is trusted', {}],
    ['another proxy is trusted', { CLIENT_CERT_PROXIES: '198.51.100.0/24' }],
    ['a proxy is trusted with addresses alone', { TRUSTED_PROXIES: '127.0.0.0/8,::1' }],
  ])('if %s, the header is ignored', async (_, env) => {
    const strict = await startTestControlPlane(kind, env);
    try {
      const device = await enrollDevice(strict, 'hardware-strict');
      const { ca, cert } = device.tls;
      for (const header of [headerOf(cert), 'nonsense'])
        expect(await outcomeOf(directly({ ca }, header, strict).getConfig())).toBe(
          '401 a device certificate is required: enroll first',
        );
    } finally {
      await strict.stop();
    }
  });
});
