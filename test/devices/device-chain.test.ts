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

/**
 * Tests the responses of the real listener to curl. Tests of certificate chains with OpenSSL are in
 * `pki/`.
 */
describe.each(databases)('the device listener, with curl, on %s', (kind) => {
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

  const sendRequest = async ({ tls }: Pick<TestDevice, 'tls'>) => {
    const { status, body } = await tools.curl(
      ['--cacert', tools.write('root.pem', tls.ca)],
      ['--cert', tools.write('device.pem', tls.cert), '--key', tools.write('device.key', tls.key)],
      `${service.urls.device}/api/svc/v1/endpoint/config/`,
    );
    const { error } = JSON.parse(body) as { error?: { message: string } };
    return [status, error?.message ?? 'served'];
  };

  test('accepts an identity, and rejects it once it is revoked', async () => {
    const device = await enrollDevice(service, 'hardware-curl');
    expect(await sendRequest(device)).toEqual([200, 'served']);
    await service.byKey.enrollment.revokeDevice({ params: { id: device.id }, body: {} });
    expect(await sendRequest(device)).toEqual([401, 'the device certificate is revoked']);
  });

  test('rejects an expired identity, by the clock of TLS and by its own', async () => {
    const begun = Date.now();
    // Valid at a time before the profile was available.
    const { apiKey, root: ca } = await readProfile(service);
    const keys = await generateKeyPair();
    const csr = await createCsr({ ...keys, commonName: 'old' });
    const body = { ...description, hardware_id: 'hardware-curl-old', identity_csr: csr };
    const client = deviceClient(service.urls.device, { ca }, { 'X-Svc-Key': apiKey });
    service.setTime(begun - 40 * DAY);
    const { identity_certificate: cert } = await client.device.enroll({
      body: { ...body, ca_csr: await captureRequest() },
    });
    service.setTime(undefined);
    const old = { tls: { ca, cert, key: keys.privateKeyPem } };
    const ended = ({ tls }: Pick<TestDevice, 'tls'>) => {
      const { notAfter } = describeCertificate(tls.cert);
      return `the device certificate expired on ${new Date(notAfter).toISOString()}`;
    };
    expect(await sendRequest(old)).toEqual([401, ended(old)]);
    const fresh = await enrollDevice(service, 'hardware-curl-fresh');
    service.setTime(begun + 31 * DAY);
    expect(await sendRequest(fresh)).toEqual([401, ended(fresh)]);
    service.setTime(undefined);
  });

  test('rejects certificates that the root signed but that are not identities', async () => {
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
    expect(await sendRequest(own)).toEqual([401, 'the device certificate is not one of ours']);
  });

  test("rejects an identity with a device's name that another root signed", async () => {
    const device = await enrollDevice(service, 'hardware-curl-forged');
    const keys = await generateKeyPair();
    const csr = await readCsr(await createCsr({ ...keys, commonName: 'forged' }));
    const root = await createRoot({ name: 'Gatehouse Root CA', now: Date.now() });
    const cert = await issueIdentity(root, { csr, deviceId: device.id, now: Date.now() });
    const forged = { tls: { ca: device.tls.ca, cert, key: keys.privateKeyPem } };
    expect(await sendRequest(forged)).toEqual([401, 'the device certificate is not one of ours']);
  });
});
