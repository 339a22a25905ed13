import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { REASON_HEADER } from '#contract/error-codes.ts';
import { LIVE_PATH } from '#contract/live.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';
import {
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { description, deviceClient, readProfile, type Tls, tlsFetch } from '../support/device.ts';
import { freePort, pollUntil } from '../support/processes.ts';

const ADA = { email: 'ada@suspended.test', password: 'correct horse battery' };

/** The outcome of a request: its status, and the reason of an error. */
type Outcome = [status: number, reason: string | null];
type Attempt = () => Promise<Outcome>;

const outcomeOf = async (response: Response): Promise<Outcome> => {
  await response.text();
  return [response.status, response.headers.get(REASON_HEADER)];
};

/** Every kind of credential, each with a request that needs it. */
const kinds = [
  'API key',
  'API key as an HTTP Basic password',
  'session token',
  'session cookie',
  'password',
  'sub-user token as a program',
  'sub-user token as a person',
  'recording key of a device',
  'certificate of a device',
  'link of a download',
  'WebSocket of a console',
] as const;

describe.each(databases)('credentials of a suspended tenant on %s', (kind) => {
  let service: TestControlPlane;
  let attempts: Record<(typeof kinds)[number], Attempt>;
  let params: { sub_tenant_id: string };
  beforeAll(async () => {
    const port = await freePort();
    const deviceUrl = `https://localhost:${port}`;
    service = await startTestControlPlane(kind, {
      DEVICE_PORT: String(port),
      DEVICE_URL: `https://*.devices.example:${port}`,
    });
    const { id, api_key } = await service.byKey.subTenants.createSubTenant({
      body: { name: 'Suspended' },
    });
    params = { sub_tenant_id: id };
    attempts = await attemptsOf(service, api_key, deviceUrl);
  });
  afterAll(() => service.stop());

  test.each(kinds)('%s: accepted, refused while suspended, accepted again', async (credential) => {
    const attempt = attempts[credential];
    const served: Outcome = [credential === 'WebSocket of a console' ? 101 : 200, null];
    const { suspendSubTenant, resumeSubTenant } = service.byKey.subTenants;
    expect(await attempt()).toEqual(served);
    await suspendSubTenant({ params, body: {} });
    expect(await attempt()).toEqual([403, 'tenant_suspended']);
    await resumeSubTenant({ params });
    expect(await attempt()).toEqual(served);
  });
});

async function attemptsOf(
  service: TestControlPlane,
  key: string,
  deviceUrl: string,
): Promise<Record<(typeof kinds)[number], Attempt>> {
  const { urls } = service;
  const byKey = service.by({ 'X-Svc-Key': key });
  await byKey.identity.createUser({ body: { ...ADA, role: 'admin', must_change_password: false } });
  const { token } = await service.by({}).identity.login({ body: ADA });
  const subUser = await byKey.subUsers.issueSubUserToken({
    body: { sub_user_id: 'ada', roles: ['viewer'], permissions: ['record'] },
  });
  const tls = await enroll(service, byKey, deviceUrl);
  const device = deviceClient(deviceUrl, tls);
  await service
    .by({ Authorization: `Bearer ${token}` })
    .guard.putLayer({ body: { layer: 'global', config: { coding_agents: 'metadata' } } });
  // The listener trusts the root of a new tenant once it has renewed its own certificate.
  const { key: recordingKey } = (await pollUntil(
    () => device.device.issueRecordingKey().catch(() => null),
    (issued) => issued !== null,
  )) as { key: string };
  await byKey.enterprise.activateAddOn({ body: { add_on_code: 'audit_export' } });
  const started = await byKey.audit.startAuditExport({ body: {} });
  const { download_url } = await pollUntil(
    () => byKey.audit.findAuditExport({ params: { export_id: started.export_id } }),
    ({ status }) => status !== 'processing',
  );

  const get = (path: string, headers: Record<string, string>) => async () =>
    outcomeOf(await fetch(new URL(path, urls.public), { headers }));
  const post =
    (path: string, body: object, headers: Record<string, string> = {}) =>
    async () =>
      outcomeOf(
        await fetch(new URL(path, urls.public), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      );
  const logs = '/api/v1/otel/v1/logs';
  const me = '/api/v1/auth/me/';
  return {
    'API key': post(logs, {}, { 'X-Svc-Key': key }),
    'API key as an HTTP Basic password': post(
      logs,
      {},
      { Authorization: `Basic ${btoa(`x:${key}`)}` },
    ),
    'session token': get(me, { Authorization: `Bearer ${token}` }),
    'session cookie': get(me, { Cookie: `svc_session=${token}` }),
    password: post('/api/v1/auth/login/', ADA),
    'sub-user token as a program': post(logs, {}, { 'X-Svc-Key': subUser.token }),
    'sub-user token as a person': get(me, { Authorization: `Bearer ${subUser.token}` }),
    'recording key of a device': post(logs, {}, { 'X-Svc-Key': recordingKey }),
    'certificate of a device': async () =>
      outcomeOf(await tlsFetch(tls)(`${deviceUrl}/api/svc/v1/endpoint/config/`, {})),
    'link of a download': get(download_url ?? '', {}),
    'WebSocket of a console': () => upgraded(urls.public, token),
  };
}

/** Enrolls at `localhost`, where the listener uses a certificate of the first tenant's root. */
async function enroll(service: TestControlPlane, byKey: TestClient, url: string): Promise<Tls> {
  const { root: ca } = await readProfile(service);
  const { apiKey } = await readProfile({ ...service, byKey });
  const [identity, authority] = [await generateKeyPair(), await generateKeyPair()];
  const commonName = 'machine-of-suspended';
  const { identity_certificate: cert } = await deviceClient(
    url,
    { ca },
    { 'X-Svc-Key': apiKey },
  ).device.enroll({
    body: {
      ...description,
      hardware_id: commonName,
      identity_csr: await createCsr({ ...identity, commonName }),
      ca_csr: await createCsr({ ...authority, commonName }),
    },
  });
  return { ca, cert, key: identity.privateKeyPem };
}

async function upgraded(url: string, token: string): Promise<Outcome> {
  const headers = { Authorization: `Bearer ${token}` };
  const socket = new WebSocket(url.replace('http', 'ws') + LIVE_PATH, { headers });
  const refused = new Promise<Outcome>((resolve) =>
    socket.on('unexpected-response', (_request, { statusCode = 0, headers: of }) =>
      resolve([statusCode, String(of[REASON_HEADER.toLowerCase()])]),
    ),
  );
  const outcome = await Promise.race([
    once(socket, 'open').then((): Outcome => [101, null]),
    refused,
  ]);
  socket.terminate();
  return outcome;
}
