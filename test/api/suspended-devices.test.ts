import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import {
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { description, deviceClient, readProfile } from '../support/device.ts';
import { freePort, pollUntil } from '../support/processes.ts';

describe.each(databases)('devices of sub-tenants on %s', (kind) => {
  let service: TestControlPlane;
  /** URL of the listener with a host name that belongs to no tenant. */
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `https://localhost:${port}`;
    service = await startTestControlPlane(kind, {
      DEVICE_PORT: String(port),
      DEVICE_URL: `https://*.devices.example:${port}`,
    });
  });
  afterAll(() => service.stop());

  const subTenant = async (name: string, by: TestClient) => {
    const { id, api_key } = await by.subTenants.createSubTenant({ body: { name } });
    return { id, byKey: service.by({ 'X-Svc-Key': api_key }) };
  };

  /**
   * Enrolls at this host name, where the listener uses the first tenant's root and accepts all
   * devices.
   */
  async function enroll(byKey: TestClient) {
    const { root: ca } = await readProfile(service);
    const { apiKey } = await readProfile({ ...service, byKey });
    const [identity, authority] = [await generateKeyPair(), await generateKeyPair()];
    const enrolling = deviceClient(url, { ca }, { 'X-Svc-Key': apiKey });
    const enrollment = await enrolling.device.enroll({
      body: {
        ...description,
        hardware_id: 'hardware-1',
        identity_csr: await createCsr({ ...identity, commonName: 'hardware-1' }),
        ca_csr: await createCsr({ ...authority, commonName: 'hardware-1' }),
      },
    });
    const tls = { ca, cert: enrollment.identity_certificate, key: identity.privateKeyPem };
    return { tls, client: deviceClient(url, tls) };
  }

  test('are accepted once their tenant exists, but not while it or an ancestor is suspended', async () => {
    const parent = await subTenant('Fleet', service.byKey);
    const child = await subTenant('Fleet below', parent.byKey);
    const { tls, client } = await enroll(child.byKey);
    const status = () =>
      client.device.getConfig().then(
        () => 200,
        (error: { status: number }) => error.status,
      );
    // The listener starts to trust the new root without a restart.
    expect(await pollUntil(status, (code) => code === 200)).toBe(200);
    const socket = new WebSocket(url.replace('https', 'wss') + DEVICE_CHANNEL_PATH, tls);
    await new Promise((resolve) => socket.on('message', resolve));
    const closed = new Promise<string>((resolve) =>
      socket.on('close', (_code, reason) => resolve(reason.toString())),
    );
    const params = { sub_tenant_id: parent.id };
    await service.byKey.subTenants.suspendSubTenant({ params, body: {} });
    expect(await status()).toBe(403);
    expect(await closed).toBe('this tenant is suspended');
    await service.byKey.subTenants.resumeSubTenant({ params });
    expect(await status()).toBe(200);
  });
});
