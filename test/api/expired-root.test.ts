import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { readConfig } from '#control-plane/config.ts';
import { type ControlPlane, startControlPlane } from '#control-plane/start.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { API_KEY, OWNER, settingsOn, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { captureRequest, description } from '../support/device.ts';
import { openConnection } from '../support/keep-alive-connection.ts';

const YEARS_30 = 30 * 365 * 86_400_000;

describe.each(databases)('twenty years after the expiry of the root, on %s', (kind) => {
  let database: TestDatabase;
  let controlPlane: ControlPlane;
  let byKey: TestClient;
  let byOwner: TestClient;

  beforeAll(async () => {
    database = await newDatabase(kind);
    const config = readConfig({ ...settingsOn(database), LOG_LEVEL: 'silent' });
    if ('error' in config) throw new Error(config.error);
    await (await startControlPlane(config)).close();
    controlPlane = await startControlPlane(config, () => Date.now() + YEARS_30);
    const by = (headers: Record<string, string>): TestClient =>
      createClient(contract, { baseUrl: controlPlane.urls.public, headers: () => headers });
    byKey = by({ 'X-Svc-Key': API_KEY });
    const { token } = await by({}).identity.login({ body: OWNER });
    byOwner = by({ Authorization: `Bearer ${token}` });
  });
  afterAll(async () => {
    await controlPlane.close();
    await database.remove();
  });

  /** Returns the root that a device sees. */
  const shownRoot = async () => {
    const { socket } = await openConnection(controlPlane.urls.device);
    const { fingerprint256 } = (socket as TLSSocket).getPeerCertificate(true).issuerCertificate;
    socket.destroy();
    return fingerprint256;
  };
  /** Enrolls without validating dates, because this process has a different clock. */
  const enroll = async () => {
    const { socket, write, nextResponse } = await openConnection(controlPlane.urls.device);
    const body = JSON.stringify({
      ...description,
      hardware_id: 'hardware-1',
      identity_csr: await createCsr({ ...(await generateKeyPair()), commonName: 'hardware-1' }),
      ca_csr: await captureRequest(),
    });
    write(
      `POST /api/svc/v1/endpoint/enroll/ HTTP/1.1\r\nHost: localhost\r\nX-Svc-Key: ${API_KEY}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    const { status, body: text } = await nextResponse();
    socket.destroy();
    return { status, text };
  };

  test('the control plane records, reports the problem and accepts the next root', async () => {
    await byKey.recording.startRun({ body: { agent_name: 'late' } });
    await expect.poll(() => byOwner.service.readyz()).toMatchObject({ status: 'ok' });

    const before = await enroll();
    expect(before).toMatchObject({ status: 503 });
    expect(before.text).toMatch(/the root of this tenant expired on .*: an administrator has to/);
    const [expired] = (await byOwner.authorities.listAuthorities()).results;
    expect(expired?.problem).toMatch(/^it has expired: create the next root/);

    const next = await byOwner.authorities.rotateAuthority({ body: {} });
    expect(next.problem).toBeNull();
    await byOwner.authorities.activateAuthority({ params: { id: next.id }, body: {} });
    await expect.poll(shownRoot).toBe(next.fingerprint);
    expect(await enroll()).toMatchObject({ status: 201 });
  });
});
