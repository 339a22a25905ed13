import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import type { Permission, Route } from '#contract/route.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import {
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import {
  captureRequest,
  description,
  deviceClient,
  enrollDevice,
  readProfile,
  type TestDevice,
  tlsFetch,
} from '../support/device.ts';

const routes = Object.entries(contract).flatMap(([group, of]) =>
  Object.entries(of).map(([name, route]): [string, Route] => [`${group}.${name}`, route]),
);
const failing = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    ({ status, message }: { status: number; message: string }) => `${status} ${message}`,
  );

/** Tests what a thief can and cannot do according to `docs/threat-model.md`. */
describe.each(databases)('stolen, on %s:', (kind) => {
  let service: TestControlPlane;
  let profile: { apiKey: string; root: string };
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    profile = await readProfile(service, 'claude.ai');
  });
  afterAll(() => service.stop());

  const urlOf = ({ listener, path }: Route) =>
    `${service.urls[listener === 'device' ? 'device' : 'public']}${path.replace(/\{\w+\}/g, 'x')}`;
  const statusFor = async (route: Route, headers: Record<string, string>, tls = {}) => {
    const url = urlOf(route);
    const send = url.startsWith('https') ? tlsFetch({ ca: profile.root, ...tls }) : fetch;
    const answer = await send(url, { method: route.method, headers, redirect: 'manual' });
    return answer.status;
  };
  /** Returns the routes that accept a credential, whatever they respond to an empty request. */
  const openTo = async (headers: Record<string, string>, tls = {}): Promise<string[]> => {
    const open: string[] = [];
    for (const [name, route] of routes)
      if (route.auth !== 'none' && ![401, 403].includes(await statusFor(route, headers, tls)))
        open.push(name);
    return open.toSorted();
  };
  const enrollWith = async (apiKey: string, hardware_id: string, user_group?: string) => {
    const request = async () =>
      createCsr({ ...(await generateKeyPair()), commonName: hardware_id });
    const body = {
      ...description,
      hardware_id,
      ...(user_group !== undefined && { user_group }),
      identity_csr: await request(),
      ca_csr: await request(),
    };
    const client = deviceClient(service.urls.device, { ca: profile.root }, { 'X-Svc-Key': apiKey });
    return client.device.enroll({ body });
  };
  const device = (id: string) => service.byOwner.devices.getDevice({ params: { id } });

  describe('a profile', () => {
    test('allows enrollment and nothing else', async () => {
      expect(await openTo({ 'X-Svc-Key': profile.apiKey })).toEqual([
        'device.enroll',
        'est.simpleEnroll',
      ]);
    });

    const mintsFor = async (...enrolling: Parameters<typeof enrollWith>) => {
      const { intermediate_certificate, config } = await enrollWith(...enrolling);
      if (intermediate_certificate === null) return [];
      const { permittedHosts } = describeCertificate(intermediate_certificate);
      expect(permittedHosts).toEqual(config.intercept_hosts);
      return permittedHosts;
    };

    test('gives the hosts of the profile, under any group, unless Guard has a layer', async () => {
      expect(await mintsFor(profile.apiKey, 'thief-plain')).toEqual(['claude.ai']);
      expect(await mintsFor(profile.apiKey, 'thief-group', 'finance')).toEqual(['claude.ai']);
      expect(await mintsFor((await readProfile(service)).apiKey, 'thief-none')).toEqual([]);
    });

    describe('if Guard has layers', () => {
      const layers: string[] = [];
      const add = async (body: Parameters<typeof service.byOwner.guard.putLayer>[0]['body']) =>
        layers.push((await service.byOwner.guard.putLayer({ body })).id);
      let apiKey: string;
      beforeAll(async () => {
        const capture = (...intercept_hosts: string[]) => ({
          config: { capture_enabled: true, intercept_hosts },
        });
        await add({ layer: 'global', ...capture('api.mistral.ai') });
        await add({ layer: 'user_group', scope: 'finance', ...capture('api.anthropic.com') });
        await add({ layer: 'user_group', scope: 'design', ...capture('sora.com') });
        ({ apiKey } = await readProfile(service));
      });
      afterAll(async () => {
        for (const id of layers) await service.byOwner.guard.deleteLayer({ params: { id } });
      });

      test('gives the hosts of the global layer, and of any group that the thief claims', async () => {
        expect(await mintsFor(apiKey, 'thief-global')).toEqual(['api.mistral.ai']);
        expect(await mintsFor(apiKey, 'thief-finance', 'finance')).toEqual(['api.anthropic.com']);
        expect(await mintsFor(apiKey, 'thief-design', 'design')).toEqual(['sora.com']);
      });

      test('gives no hosts if approval is required', async () => {
        const settings = { require_approval: true, new_devices_per_hour: 3000 };
        const set = (body: typeof settings) =>
          service.byOwner.enrollment.putEnrollmentSettings({ body });
        await set(settings);
        expect(await failing(enrollWith(apiKey, 'thief-waits', 'finance'))).toMatch(/^202/);
        await set({ ...settings, require_approval: false });
      });
    });

    test('takes over a device with a known hardware id, unless approval is required', async () => {
      const settings = { require_approval: true, new_devices_per_hour: 3000 };
      const victim = await enrollDevice(service, 'victim-hardware');
      await service.byOwner.enrollment.putEnrollmentSettings({ body: settings });
      expect(await failing(enrollWith(profile.apiKey, 'victim-hardware'))).toMatch(/^202/);
      await victim.client.device.getConfig();
      await service.byOwner.enrollment.putEnrollmentSettings({
        body: { ...settings, require_approval: false },
      });
      expect((await enrollWith(profile.apiKey, 'victim-hardware')).device_id).toBe(victim.id);
      expect(await failing(victim.client.device.getConfig())).toMatch(/^401/);
    });

    test('cannot flood the list of devices', async () => {
      const flooded = { require_approval: false, new_devices_per_hour: 3 };
      await service.byOwner.enrollment.putEnrollmentSettings({ body: flooded });
      const { apiKey } = await readProfile(service);
      const answers: string[] = [];
      for (let i = 0; i < 6; i += 1)
        answers.push(await failing(enrollWith(apiKey, `flooding-${i}`)));
      expect(answers.map((answer) => answer.slice(0, 4))).toEqual([
        'done',
        'done',
        'done',
        '429 ',
        '429 ',
        '429 ',
      ]);
      await service.byOwner.enrollment.putEnrollmentSettings({
        body: { ...flooded, new_devices_per_hour: 3000 },
      });
    });

    test('is useless once its key is revoked; enrolled devices are unaffected', async () => {
      const { apiKey } = await readProfile(service);
      const before = await enrollDevice(service, 'enrolled-before');
      const { results } = await service.byOwner.identity.listApiKeys();
      const key = results.filter(({ name }) => name.startsWith('Profile of'));
      for (const { id } of key) await service.byOwner.identity.revokeApiKey({ params: { id } });
      expect(await failing(enrollWith(apiKey, 'too-late-hardware'))).toBe(
        '401 the API key is unknown, expired or revoked',
      );
      await before.client.device.getConfig();
      profile = await readProfile(service, 'claude.ai');
    });
  });

  describe("a device's key", () => {
    let stolen: TestDevice;
    beforeAll(async () => {
      // Recording keys are issued only while coding agents are recorded.
      await service.byOwner.guard.putLayer({
        body: { layer: 'global', config: { coding_agents: 'metadata' } },
      });
      stolen = await enrollDevice(service, 'stolen-laptop', { hosts: 'claude.ai' });
    });

    test('allows what the device may do, and nothing else', async () => {
      const { ca: _ca, ...tls } = stolen.tls;
      const own = routes.filter(([, { auth }]) => auth === 'device').map(([name]) => name);
      expect(await openTo({}, tls)).toEqual(own.toSorted());
    });

    test('renews only for that device, and issues certificates only for its hosts', async () => {
      const other = await enrollDevice(service, 'other-laptop');
      const csrFor = (deviceId: string) =>
        createCsr({ ...stolen.identity, commonName: deviceId, deviceId });
      const renewFor = async (deviceId: string) => {
        const csr = await csrFor(deviceId);
        return stolen.client.device.renew({
          body: { identity_csr: csr, ca_csr: await captureRequest() },
        });
      };
      expect(await failing(renewFor(other.id))).toMatch(/^403 .*another device/);
      const renewed = await renewFor(stolen.id);
      const { permittedHosts } = describeCertificate(renewed.intermediate_certificate ?? '');
      expect(permittedHosts).toEqual(['claude.ai']);
      const life = (pem: string | null) => {
        const { validToDate, validFromDate } = new X509Certificate(pem ?? '');
        return Math.round((Number(validToDate) - Number(validFromDate)) / 86_400_000);
      };
      expect([life(renewed.identity_certificate), life(renewed.intermediate_certificate)]).toEqual([
        30, 30,
      ]);
    });

    test('is useless once the device is revoked, and cannot enroll again', async () => {
      await service.byOwner.enrollment.revokeDevice({
        params: { id: stolen.id },
        body: { reason: 'stolen' },
      });
      const csr = await createCsr({ ...stolen.identity, commonName: stolen.id });
      expect([
        await failing(stolen.client.device.getConfig()),
        await failing(
          stolen.client.device.renew({
            body: { identity_csr: csr, ca_csr: await captureRequest() },
          }),
        ),
        await failing(enrollWith(profile.apiKey, 'stolen-laptop')),
      ]).toEqual([
        '401 the device certificate is revoked',
        '401 the device certificate is revoked',
        `403 device ${stolen.id} is revoked and cannot enroll again`,
      ]);
      expect((await device(stolen.id)).identity).toBeNull();
    });
  });

  describe('an API key', () => {
    const keyWith = async (...permissions: Permission[]) => {
      const { key } = await service.byOwner.identity.createApiKey({
        body: { name: permissions.join(), permissions },
      });
      return { 'X-Svc-Key': key };
    };
    const ofPermission = (permission: Permission): string[] =>
      routes
        .filter(
          ([, route]) =>
            (route.auth === 'api-key' && (route.permission ?? permission) === permission) ||
            (route.auth === 'admin' && route.permission === permission),
        )
        .map(([name]) => name);

    test('that records allows recording, but not reading, devices or settings', async () => {
      const open = await openTo(await keyWith('record'));
      expect(open).toEqual(ofPermission('record').toSorted());
      expect(open).not.toContain('device.enroll');
      expect(open).not.toContain('runs.listRuns');
    });

    test("that administers cannot act as a device, or use routes that require a user's session", async () => {
      const open = await openTo(await keyWith('admin'));
      const closed = routes.filter(([, { auth }]) => auth === 'device' || auth === 'session');
      expect(open.filter((name) => closed.some(([other]) => other === name))).toEqual([]);
      expect(open).toContain('enrollment.revokeDevice');
    });

    test('that administers can create no key with more permissions or a later expiry', async () => {
      const end = Date.now() + 3_600_000;
      const makers = async (...permissions: Permission[]) => {
        const body = { name: 'maker', permissions, expires_at: new Date(end).toISOString() };
        const { key } = await service.byOwner.identity.createApiKey({ body });
        return service.by({ 'X-Svc-Key': key });
      };
      const waysToAKey = ({ identity, deployment }: TestClient) => [
        identity.createApiKey({ body: { name: 'made', permissions: ['enroll'] } }),
        deployment.getMdmProfile({ query: {} }),
      ];
      const refused = '403 you do not have these permissions yourself: enroll';
      const answers = await Promise.all(waysToAKey(await makers('admin')).map(failing));
      expect(answers).toEqual([refused, refused]);
      const before = (await service.byOwner.identity.listApiKeys()).results.map(({ id }) => id);
      await Promise.allSettled(waysToAKey(await makers('admin', 'enroll')));
      const { results } = await service.byOwner.identity.listApiKeys();
      const made = results.filter(({ id, name }) => !before.includes(id) && name !== 'maker');
      expect(made.map(({ expires_at }) => Date.parse(expires_at ?? ''))).toEqual([end]);
    });

    test('never shows a private key', async () => {
      const headers = await keyWith('admin', 'enroll');
      const [authority] = (await service.byOwner.authorities.listAuthorities()).results;
      const shown: string[] = [];
      for (const [, route] of routes) {
        if (route.method !== 'GET' || route.listener === 'device') continue;
        const url = `${service.urls.public}${route.path.replace('{id}', authority?.id ?? '')}`;
        shown.push(await (await fetch(url, { headers, redirect: 'manual' })).text());
      }
      // The requests include routes that return certificates, where a key could be included by
      // mistake.
      expect(shown.filter((text) => text.includes('BEGIN CERTIFICATE')).length).toBeGreaterThan(0);
      expect(shown.filter((text) => /BEGIN[A-Z ]* PRIVATE KEY/.test(text))).toEqual([]);
    });
  });
});
