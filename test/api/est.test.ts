// @module-tag openssl
// @module-tag curl

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeCertificate } from '#pki/certificate.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { deviceClient, readProfile } from '../support/device.ts';
import { type StandardTools, startStandardTools } from '../support/standard-tools.ts';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

describe.each(databases)('EST by openssl and curl on %s', (kind) => {
  let service: TestControlPlane;
  let tools: StandardTools;
  let apiKey: string;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    tools = startStandardTools();
    const profile = await readProfile(service);
    apiKey = profile.apiKey;
    tools.write('root.pem', profile.root);
  });
  afterAll(async () => {
    tools.remove();
    await service.stop();
  });

  const est = (operation: string) => `${service.urls.device}/.well-known/est/${operation}`;
  const byKey = () => ['--user', `anybody:${apiKey}`];
  const byIdentity = (name: string) => ['--cert', `${name}.pem`, '--key', `${name}.key`];

  /** Creates a key and a certificate request; writes the request as base64 of DER to a file. */
  const requestAs = async (name: string, subject: string, ...more: string[]): Promise<string> => {
    const key = more.includes('-key') ? [] : [...NEW_KEY, '-keyout', `${name}.key`];
    const made = await tools.openssl(
      ['req', '-new', ...key, '-subj', subject, '-outform', 'DER', '-out', `${name}.der`],
      ...more,
    );
    if (made.code !== 0) throw new Error(made.err);
    const base64 = ['base64', '-in', `${name}.der`, '-out', `${name}.b64`];
    await tools.openssl(...base64);
    return `${name}.b64`;
  };
  const post = (operation: string, file: string, ...more: string[]) =>
    tools.curl(
      ['--cacert', 'root.pem', '--header', 'Content-Type: application/pkcs10'],
      ['--data-binary', `@${file}`, '--dump-header', 'headers.txt', ...more],
      est(operation),
    );
  /** Returns the certificates that openssl finds in a response, as PEM. */
  const certificatesIn = async (base64: string): Promise<string[]> => {
    tools.write('answer.p7', Buffer.from(base64, 'base64'));
    const { out } = await tools.openssl([
      'pkcs7',
      '-inform',
      'DER',
      '-in',
      'answer.p7',
      '-print_certs',
    ]);
    return out.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  };
  const config = (...credentials: string[]) =>
    tools.curl(
      ['--cacert', 'root.pem', ...credentials],
      `${service.urls.device}/api/svc/v1/endpoint/config/`,
    );
  const enrolled = async (name: string, subject: string) => {
    const answer = await post('simpleenroll', await requestAs(name, subject), ...byKey());
    const [certificate = ''] = await certificatesIn(answer.body);
    tools.write(`${name}.pem`, certificate);
    return { answer, certificate, id: describeCertificate(certificate).deviceId ?? '' };
  };

  test('cacerts returns the trusted roots', async () => {
    const answer = await tools.curl([
      '--cacert',
      'root.pem',
      '--dump-header',
      'headers.txt',
      est('cacerts'),
    ]);
    expect(answer.status).toBe(200);
    expect(tools.read('headers.txt')).toMatch(/^content-type: application\/pkcs7-mime/im);
    const [root = '', ...others] = await certificatesIn(answer.body);
    expect(others).toEqual([]);
    const profile = describeCertificate(tools.read('root.pem'));
    expect(describeCertificate(root).fingerprint256).toBe(profile.fingerprint256);
  });

  test('csrattrs returns the required key and signature algorithms', async () => {
    const answer = await tools.curl('--cacert', 'root.pem', est('csrattrs'));
    tools.write('attributes.der', Buffer.from(answer.body, 'base64'));
    const parsed = await tools.openssl(['asn1parse', '-inform', 'DER', '-in', 'attributes.der']);
    expect(parsed.out.match(/:(\S+)\s*$/gm)?.map((found) => found.trim())).toEqual([
      ':id-ecPublicKey',
      ':prime256v1',
      ':ecdsa-with-SHA256',
    ]);
  });

  test('simpleenroll issues an identity with which curl is authenticated as the device', async () => {
    const { answer, certificate, id } = await enrolled('mac', '/CN=linux-box.example');
    expect([answer.status, answer.err]).toEqual([200, '']);
    expect(tools.read('headers.txt')).toMatch(
      /^content-type: application\/pkcs7-mime; smime-type=certs-only\r?$/im,
    );
    const verified = await tools.openssl('verify', '-CAfile', 'root.pem', 'mac.pem');
    expect(verified.out).toBe('mac.pem: OK\n');
    expect(describeCertificate(certificate).subject).toBe(`CN=${id}`);
    const configured = await config(...byIdentity('mac'));
    expect([configured.status, JSON.parse(configured.body)]).toEqual([
      200,
      expect.objectContaining({ capture_enabled: false }),
    ]);
    const device = await service.byOwner.devices.getDevice({ params: { id } });
    expect(device).toMatchObject({ hostname: 'linux-box.example', status: 'active' });
  });

  test('the serial number in the subject, if present, is the hardware id', async () => {
    const one = await enrolled('serial-1', '/CN=a-mac/serialNumber=C02XK0AAJG5H');
    const same = await enrolled('serial-2', '/CN=another-name/serialNumber=C02XK0AAJG5H');
    expect(same.id).toBe(one.id);
    const ended = await config(...byIdentity('serial-1'));
    expect([ended.status, ended.body]).toEqual([401, expect.stringContaining('is revoked')]);
    expect((await config(...byIdentity('serial-2'))).status).toBe(200);
  });

  test('simplereenroll renews only under the same names', async () => {
    const { id } = await enrolled('renewing', '/CN=renewing-box');
    const san = ['-addext', `subjectAltName=URI:urn:svc:device:${id}`];
    const files = {
      same: await requestAs('same', `/CN=${id}`, ...san),
      otherName: await requestAs('other-name', '/CN=renewing-box', ...san),
      without: await requestAs('without', `/CN=${id}`),
      more: await requestAs('more', `/CN=${id}`, '-addext', `${san[1]},DNS:api.openai.com`),
    };
    const as = (file: string) => post('simplereenroll', file, ...byIdentity('renewing'));
    const renewed = await as(files.same);
    expect(renewed.status).toBe(200);
    const [certificate = ''] = await certificatesIn(renewed.body);
    tools.write('same.pem', certificate);
    expect((await config(...byIdentity('same'))).status).toBe(200);
    for (const file of [files.otherName, files.without, files.more])
      expect((await as(file)).body).toContain('expected the names of the certificate');
    expect((await post('simplereenroll', files.same, ...byKey())).status).toBe(401);
  });

  test('if approval is required, the response says when to request again', async () => {
    const body = { require_approval: true, new_devices_per_hour: 3000 };
    await service.byOwner.enrollment.putEnrollmentSettings({ body });
    const file = await requestAs('waiting', '/CN=waiting-box');
    const waits = await post('simpleenroll', file, ...byKey());
    expect(waits.status).toBe(202);
    expect(tools.read('headers.txt')).toMatch(/^retry-after: 60\r?$/im);
    const { device_id: id } = JSON.parse(waits.body) as { device_id: string };
    await service.byOwner.enrollment.approveDevice({ params: { id }, body: {} });
    expect((await post('simpleenroll', file, ...byKey())).status).toBe(200);
    await service.byOwner.enrollment.putEnrollmentSettings({
      body: { ...body, require_approval: false },
    });
  });

  test('requests without a password get 401; keys without the permission are refused', async () => {
    const file = await requestAs('stranger', '/CN=stranger-box');
    const stranger = await post('simpleenroll', file);
    expect(stranger.status).toBe(401);
    expect(stranger.body).toContain(
      'an API key is required: as the password of HTTP Basic, or as bearer',
    );
    expect(tools.read('headers.txt')).toMatch(/^www-authenticate: Basic realm="EST"\r?$/im);
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'recorder', permissions: ['record'] },
    });
    expect((await post('simpleenroll', file, '--user', `x:${key}`)).status).toBe(403);
    expect((await post('simpleenroll', file, '--oauth2-bearer', apiKey)).status).toBe(200);
  });

  test.each([
    ['a short name', '/CN=short', [], 400, 'of 8 to 128 letters'],
    ['no name', '/O=Example', [], 400, 'of 8 to 128 letters'],
    ['a control character', '/CN=eight\u0007letters', [], 400, 'of 8 to 128 letters'],
    [
      "another device's name",
      '/CN=a-good-name',
      ['-addext', 'subjectAltName=URI:urn:svc:device:dev_other'],
      403,
      'names another device: dev_other',
    ],
  ])('a request with %s is rejected', async (_, subject, more, status, why) => {
    const answer = await post('simpleenroll', await requestAs('bad', subject, ...more), ...byKey());
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(why)]);
  });

  test('data that is not PKCS#10 is rejected, also by content type', async () => {
    tools.write('nonsense.b64', 'bm9uc2Vuc2U=');
    const nonsense = await post('simpleenroll', 'nonsense.b64', ...byKey());
    expect([nonsense.status, nonsense.body]).toEqual([
      400,
      expect.stringContaining('expected PKCS#10, found data that cannot be parsed'),
    ]);
    tools.write('letters.b64', 'no base64: at all');
    const letters = await post('simpleenroll', 'letters.b64', ...byKey());
    expect([letters.status, letters.body]).toEqual([
      400,
      expect.stringContaining('body: expected PKCS#10 in base64, found something else'),
    ]);
    const { root } = await readProfile(service);
    const client = deviceClient(service.urls.device, { ca: root }, { 'X-Svc-Key': apiKey });
    await expect(client.est.simpleEnroll({ body: 'x' })).rejects.toMatchObject({ status: 415 });
    await expect(client.est.simpleReenroll({ body: 'x' })).rejects.toMatchObject({ status: 401 });
    expect(await client.est.getCaCertificates()).toMatch(/^[\w+/=\n]+$/);
    expect(await client.est.getCsrAttributes()).toMatch(/^[\w+/=\n]+$/);
  });
});
