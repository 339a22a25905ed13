// @module-tag openssl
// @module-tag curl

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueIdentity, createRoot } from '#pki/authority.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { createCsr, readCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import {
  captureRequest,
  description,
  deviceClient,
  enrollDevice,
  readProfile,
  type TestDevice,
} from '../support/device.ts';
import { type StandardTools, startStandardTools } from '../support/standard-tools.ts';

const DAY = 86_400_000;

/** What curl is answered at the real listener; what OpenSSL makes of chains is in `pki/`. */
describe.each(databases)('the device listener, to curl, on %s', (kind) => {
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

  const ask = async ({ tls }: Pick<TestDevice, 'tls'>) => {
    const { status, body } = await tools.curl(
      ['--cacert', tools.write('root.pem', tls.ca)],
      ['--cert', tools.write('device.pem', tls.cert), '--key', tools.write('device.key', tls.key)],
      `${service.urls.device}/api/svc/v1/endpoint/config/`,
    );
    const { error } = JSON.parse(body) as { error?: { message: string } };
    return [status, error?.message ?? 'served'];
  };

  test('serves an identity, refuses it once it is revoked', async () => {
    const device = await enrollDevice(service, 'hardware-curl');
    expect(await ask(device)).toEqual([200, 'served']);
    await service.byKey.enrollment.revokeDevice({ params: { id: device.id }, body: {} });
    expect(await ask(device)).toEqual([401, 'the device certificate is revoked']);
  });

  test('refuses an identity that has expired, by the clock of TLS and by its own', async () => {
    const begun = Date.now();
    // Of a time when there was no profile to be had yet.
    const { apiKey, root: ca } = await readProfile(service);
    const keys = await generateKeyPair();
    const csr = await createCsr({ ...keys, commonName: 'old' });
    const body = { ...description, hardware_id: 'hardware-curl-old', identity_csr: csr };
    const asking = deviceClient(service.urls.device, { ca }, { 'X-Svc-Key': apiKey });
    service.setTime(begun - 40 * DAY);
    const { identity_certificate: cert } = await asking.device.enroll({
      body: { ...body, ca_csr: await captureRequest() },
    });
    service.setTime(undefined);
    const old = { tls: { ca, cert, key: keys.privateKeyPem } };
    const ended = ({ tls }: Pick<TestDevice, 'tls'>) => {
      const { notAfter } = describeCertificate(tls.cert);
      return `the device certificate expired on ${new Date(notAfter).toISOString()}`;
    };
    expect(await ask(old)).toEqual([401, ended(old)]);
    const fresh = await enrollDevice(service, 'hardware-curl-fresh');
    service.setTime(begun + 31 * DAY);
    expect(await ask(fresh)).toEqual([401, ended(fresh)]);
    service.setTime(undefined);
  });

  test('refuses certificates that the root signed but that were not issued as an identity', async () => {
    const authority = await generateKeyPair();
    const device = await enrollDevice(service, 'hardware-curl-own', {
      hosts: 'claude.ai',
      authority,
    });
    const cert = device.enrollment.intermediate_certificate ?? '';
    const { ca } = device.tls;
    tools.write('root.pem', ca);
    tools.write('intermediate.pem', cert);
    const verified = await tools.openssl(['verify', '-CAfile', 'root.pem', 'intermediate.pem']);
    expect(verified.out).toBe('intermediate.pem: OK\n');
    const own = { tls: { ca, cert, key: authority.privateKeyPem } };
    expect(await ask(own)).toEqual([401, 'the device certificate is not one of ours']);
  });

  test('refuses an identity in the name of a device that another root signed', async () => {
    const device = await enrollDevice(service, 'hardware-curl-forged');
    const keys = await generateKeyPair();
    const csr = await readCsr(await createCsr({ ...keys, commonName: 'forged' }));
    const root = await createRoot({ name: 'Gatehouse Root CA', now: Date.now() });
    const cert = await issueIdentity(root, { csr, deviceId: device.id, now: Date.now() });
    const forged = { tls: { ca: device.tls.ca, cert, key: keys.privateKeyPem } };
    expect(await ask(forged)).toEqual([401, 'the device certificate is not one of ours']);
  });
});
