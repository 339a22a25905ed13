import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeCertificate } from '#pki/certificate.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import {
  captureRequest,
  description,
  deviceClient,
  enrollDevice,
  readProfile,
} from '../support/device.ts';
import { freePort } from '../support/processes.ts';
import { type StandardTools, startStandardTools } from '../support/standard-tools.ts';

const DAY = 86_400_000;
const CRL = '/api/svc/v1/endpoint/crl/';

const refusal = ({ status, message }: { status: number; message: string }) =>
  `${status} ${message}`;
const failing = (attempt: Promise<unknown>) => attempt.then(() => 'done', refusal);
const pems = (text: string) =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

describe.each(databases)('revocation lists on %s', { tags: ['openssl'] }, (kind) => {
  let service: TestControlPlane;
  let tools: StandardTools;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    tools = startStandardTools();
  });
  afterAll(async () => {
    tools.remove();
    await service.stop();
  });

  /** Fetches the list like a PKIX client, from the address in the certificate. */
  const fetchCrl = async (certificate: string) => {
    tools.write('asked.pem', certificate);
    const { out } = await tools.openssl([
      'x509',
      '-in',
      'asked.pem',
      '-noout',
      '-ext',
      'crlDistributionPoints',
    ]);
    const url = /URI:(\S+)/.exec(out)?.[1] ?? '';
    const answer = await fetch(url);
    tools.write('crl.der', Buffer.from(await answer.arrayBuffer()));
    return { url, answer };
  };
  const crlFacts = async () => {
    const { out, err } = await tools.openssl(
      ['crl', '-inform', 'DER', '-in', 'crl.der', '-CAfile', 'root.pem', '-verify'],
      ['-noout', '-crlnumber', '-lastupdate', '-nextupdate'],
    );
    const date = (name: string) => Date.parse(new RegExp(`${name}=(.*)`).exec(out)?.[1] ?? '');
    return {
      verified: `${out}${err}`.includes('verify OK'),
      number: Number(/crlNumber=(0x[0-9A-F]+)/i.exec(out)?.[1]),
      life: date('nextUpdate') - date('lastUpdate'),
    };
  };
  const check = async (name: string) => {
    await tools.openssl('crl', '-inform', 'DER', '-in', 'crl.der', '-out', 'crl.pem');
    const { code, out, err } = await tools.openssl([
      'verify',
      '-crl_check',
      '-CAfile',
      'root.pem',
      '-CRLfile',
      'crl.pem',
      name,
    ]);
    return code === 0 ? out : err;
  };

  test('make openssl reject the identity and the intermediate of a revoked device, and no others', async () => {
    const hosts = 'api.openai.com';
    const lost = await enrollDevice(service, 'hardware-lost', { hosts });
    const kept = await enrollDevice(service, 'hardware-kept', { hosts });
    tools.write('root.pem', lost.enrollment.root_certificate);
    const files = { lost, kept };
    for (const [name, { enrollment }] of Object.entries(files)) {
      tools.write(`${name}.pem`, enrollment.identity_certificate);
      tools.write(`${name}-capture.pem`, enrollment.intermediate_certificate ?? '');
    }
    const { answer } = await fetchCrl(lost.enrollment.identity_certificate);
    expect(answer.headers.get('content-type')).toBe('application/pkix-crl');
    const before = await crlFacts();
    expect(before).toMatchObject({ verified: true, life: 7 * DAY });
    expect([await check('lost.pem'), await check('lost-capture.pem')]).toEqual([
      'lost.pem: OK\n',
      'lost-capture.pem: OK\n',
    ]);
    // Without a change, the list keeps its number.
    await fetchCrl(lost.enrollment.identity_certificate);
    expect((await crlFacts()).number).toBe(before.number);

    await service.byKey.enrollment.revokeDevice({ params: { id: lost.id }, body: {} });
    await fetchCrl(lost.enrollment.intermediate_certificate ?? '');
    const after = await crlFacts();
    expect(after.verified).toBe(true);
    expect(after.number).toBeGreaterThan(before.number);
    expect(await check('lost.pem')).toContain('certificate revoked');
    expect(await check('lost-capture.pem')).toContain('certificate revoked');
    expect(await check('kept.pem')).toBe('kept.pem: OK\n');
    expect(await check('kept-capture.pem')).toBe('kept-capture.pem: OK\n');
  });

  test('are issued each day, without expired certificates', async () => {
    const { id, enrollment } = await enrollDevice(service, 'hardware-expiring');
    await service.byKey.enrollment.revokeDevice({ params: { id }, body: {} });
    await fetchCrl(enrollment.identity_certificate);
    const { number } = await crlFacts();
    const { serial } = describeCertificate(enrollment.identity_certificate);
    const listed = async () =>
      (await tools.openssl('crl', '-inform', 'DER', '-in', 'crl.der', '-noout', '-text')).out;
    expect(await listed()).toContain(serial);
    service.setTime(Date.now() + 31 * DAY);
    await fetchCrl(enrollment.identity_certificate);
    service.setTime(undefined);
    expect((await crlFacts()).number).toBeGreaterThan(number);
    expect(await listed()).not.toContain(serial);
  });

  test("without a parameter belong to the installation's root; an unknown root returns 404", async () => {
    const own = await fetch(`${service.urls.public}${CRL}`);
    tools.write('crl.der', Buffer.from(await own.arrayBuffer()));
    expect((await crlFacts()).verified).toBe(true);
    const unprivileged = service.by({});
    expect(
      await failing(unprivileged.authorities.getCrl({ query: { authority: 'ca_none' } })),
    ).toBe('404 no authority has the id "ca_none"');
  });
});

describe.each(databases)('rotating the root on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const roots = () => service.byKey.authorities;
  const states = async () => {
    const { results } = await roots().listAuthorities();
    return results.map(({ state }) => state);
  };
  test('the old and new root overlap: both are trusted, one signs, and the old one is retired at the end', async () => {
    const { results } = await roots().listAuthorities();
    const [first] = results;
    if (!first) throw new Error('no root');
    const certificate = await roots().getAuthorityCertificate({ params: { id: first.id } });
    expect(first).toMatchObject({ state: 'active', certificate, identities: 0 });
    expect(first.fingerprint).toBe(describeCertificate(certificate).fingerprint256);
    const old = await enrollDevice(service, 'hardware-old');
    const oldProfile = await readProfile(service);

    const next = await roots().rotateAuthority({ body: {} });
    expect(next).toMatchObject({ state: 'next', identities: 0 });
    expect(await states()).toEqual(['next', 'active']);
    expect(await failing(roots().rotateAuthority({ body: {} }))).toBe(
      '409 there is already a next root: activate or retire it first',
    );
    // Profiles contain both roots; the old one still signs, and the listener still uses it.
    const profile = await readProfile(service);
    expect(pems(profile.root)).toHaveLength(2);
    const renew = async () => {
      const csr = await createCsr({ ...old.identity, commonName: old.id });
      return old.client.device.renew({
        body: { identity_csr: csr, ca_csr: await captureRequest() },
      });
    };
    const overlap = await renew();
    expect(overlap.root_certificate).toBe(first.certificate);
    expect(overlap.root_certificates).toEqual([first.certificate, next.certificate]);

    const activated = await roots().activateAuthority({ params: { id: next.id }, body: {} });
    expect(activated.state).toBe('active');
    expect(await states()).toEqual(['active', 'previous']);
    // Certificates of the old root stay valid, also for a device whose profile contains only that
    // root.
    await deviceClient(service.urls.device, {
      ...old.tls,
      ca: oldProfile.root,
    }).device.getConfig();
    const renewed = await renew();
    expect(renewed.root_certificate).toBe(next.certificate);
    expect(renewed.root_certificates).toEqual([next.certificate, first.certificate]);
    const tls = { ...old.tls, cert: renewed.identity_certificate };
    await deviceClient(service.urls.device, tls).device.getConfig();

    const retire = (force: boolean) =>
      failing(roots().retireAuthority({ params: { id: first.id }, body: { force } }));
    expect(await retire(false)).toBe(
      `409 authority ${first.id} is previous: it still signs 2 valid device identities`,
    );
    expect(await retire(true)).toBe('done');
    expect(await states()).toEqual(['active', 'retired']);
    expect(await retire(true)).toBe(`409 authority ${first.id} is retired: it is already retired`);
    // By now the listener uses the new root and rejects devices of the old one.
    const onlyNew = { ca: next.certificate };
    const by = (cert: string) =>
      deviceClient(service.urls.device, { ...old.tls, ...onlyNew, cert }).device.getConfig();
    const shown = async () => {
      for (;;) {
        const answer = await failing(by(renewed.identity_certificate));
        if (answer === 'done') return answer;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    expect(await shown()).toBe('done');
    expect(await failing(by(old.enrollment.identity_certificate))).toMatch(/^401/);
    expect(pems((await readProfile(service)).root)).toEqual(pems(next.certificate));
  });

  test.each([
    ['activate', 'activateAuthority', 'active', 'only the next root can be activated'],
    ['retire', 'retireAuthority', 'active', 'activate the next root first'],
  ] as const)('refuses to %s the root that signs', async (_, what, state, why) => {
    const { results } = await roots().listAuthorities();
    const id = results.find((one) => one.state === state)?.id ?? '';
    expect(await failing(roots()[what]({ params: { id }, body: {} }))).toBe(
      `409 authority ${id} is ${state}: ${why}`,
    );
  });

  test('an unknown root returns 404', async () => {
    const params = { id: 'ca_none' };
    const refused = await Promise.all([
      failing(roots().getAuthorityCertificate({ params })),
      failing(roots().activateAuthority({ params, body: {} })),
      failing(roots().retireAuthority({ params, body: {} })),
    ]);
    expect(refused).toEqual(Array.from({ length: 3 }, () => '404 there is no authority ca_none'));
  });

  test('a next root may be retired before its activation', async () => {
    const { id } = await roots().rotateAuthority({ body: {} });
    const retired = await roots().retireAuthority({ params: { id }, body: {} });
    expect(retired.state).toBe('retired');
    await roots().rotateAuthority({ body: {} });
  });
});

describe.each(databases)(
  'a host name for each tenant on %s',
  { tags: ['openssl', 'curl'] },
  (kind) => {
    let service: TestControlPlane;
    let tools: StandardTools;
    let port: number;
    beforeAll(async () => {
      port = await freePort();
      service = await startTestControlPlane(kind, {
        DEVICE_PORT: String(port),
        DEVICE_URL: `https://*.devices.example:${port}`,
      });
      tools = startStandardTools();
    });
    afterAll(async () => {
      tools.remove();
      await service.stop();
    });

    const curl = (host: string, ca: string, ...more: string[]) =>
      tools.curl(
        ['--cacert', tools.write('ca.pem', ca), '--resolve', `${host}:${port}:127.0.0.1`, ...more],
        `https://${host}:${port}/api/svc/v1/endpoint/config/`,
      );

    test('the listener uses the root of the tenant whose host name is requested', async () => {
      const { id, api_key } = await service.byKey.subTenants.createSubTenant({
        body: { name: 'Below' },
      });
      const below = service.by({ 'X-Svc-Key': api_key });
      const [own, theirs] = [
        await readProfile(service),
        await readProfile({ ...service, byKey: below }),
      ];
      const host = (profile: typeof own) => new URL(String(profile.config.api_url)).hostname;
      expect(host(theirs)).toBe(`${id.replace('_', '-')}.devices.example`);
      expect(host(own)).not.toBe(host(theirs));
      // 401 means that the handshake succeeded but a client certificate is missing.
      expect((await curl(host(own), own.root)).status).toBe(401);
      expect((await curl(host(theirs), theirs.root)).status).toBe(401);
      expect((await curl(host(theirs), own.root)).err).toMatch(/certificate/);
      expect((await curl(host(own), theirs.root)).err).toMatch(/certificate/);
      expect((await curl('st-none.devices.example', theirs.root)).err).toMatch(/certificate/);

      const keys = await generateKeyPair();
      const csr = await createCsr({ ...keys, commonName: 'hardware-below' });
      const requestBody = {
        ...description,
        hardware_id: 'hardware-below',
        identity_csr: csr,
        ca_csr: await captureRequest(),
      };
      tools.write('body.json', JSON.stringify(requestBody));
      const enrolled = await tools.curl(
        ['--cacert', tools.write('ca.pem', theirs.root)],
        ['--resolve', `${host(theirs)}:${port}:127.0.0.1`, '--data-binary', '@body.json'],
        ['--header', 'Content-Type: application/json', '--header', `X-Svc-Key: ${theirs.apiKey}`],
        `https://${host(theirs)}:${port}/api/svc/v1/endpoint/enroll/`,
      );
      const { identity_certificate } = JSON.parse(enrolled.body) as {
        identity_certificate: string;
      };
      const credentials = [
        '--cert',
        tools.write('identity.pem', identity_certificate),
        '--key',
        tools.write('identity.key', keys.privateKeyPem),
      ];
      expect((await curl(host(theirs), theirs.root, ...credentials)).status).toBe(200);
      // EST returns the roots of the tenant whose host name is requested.
      const response = await tools.curl(
        ['--cacert', tools.write('ca.pem', theirs.root)],
        ['--resolve', `${host(theirs)}:${port}:127.0.0.1`],
        `https://${host(theirs)}:${port}/.well-known/est/cacerts`,
      );
      tools.write('cacerts.p7', Buffer.from(response.body, 'base64'));
      const roots = await tools.openssl([
        'pkcs7',
        '-inform',
        'DER',
        '-in',
        'cacerts.p7',
        '-print_certs',
      ]);
      expect(pems(roots.out).map((pem) => pem.trim())).toEqual(pems(theirs.root));
      // Under another tenant's host name, the device certificate is rejected.
      expect((await curl(host(own), own.root, ...credentials)).status).toBe(401);
    });
  },
);
