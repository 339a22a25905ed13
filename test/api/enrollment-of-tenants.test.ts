import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { captureRequest, description, deviceClient, readProfile } from '../support/device.ts';

describe.each(databases)('computers with one hardware id, of two tenants, on %s', (kind) => {
  let service: TestControlPlane;
  let root: string;
  let otherKey: string;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(Date.now());
    ({ root } = await readProfile(service));
    const { api_key } = await service.byKey.subTenants.createSubTenant({ body: { name: 'Other' } });
    otherKey = api_key;
  });
  afterAll(() => service.stop());

  test('are two devices, and enrollments of one do not count towards the limit of the other', async () => {
    const body = {
      ...description,
      hardware_id: 'hardware-of-both',
      identity_csr: await createCsr({ ...(await generateKeyPair()), commonName: 'identity' }),
      ca_csr: await captureRequest(),
    };
    const enrollWith = async (key: string): Promise<string> => {
      const client = deviceClient(service.urls.device, { ca: root }, { 'X-Svc-Key': key });
      return (await client.device.enroll({ body })).device_id;
    };
    const first = await enrollWith(otherKey);
    for (let i = 1; i < 10; i += 1) expect(await enrollWith(otherKey)).toBe(first);
    await expect(enrollWith(otherKey)).rejects.toMatchObject({
      status: 429,
      message: 'too many enrollment attempts of this computer: try again in 30 seconds',
    });
    expect(await enrollWith(API_KEY)).not.toBe(first);
  });
});
