import { once } from 'node:events';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRoot, type CertificateAndKey, issueServerCertificate } from '#pki/authority.ts';
import { createTestComputer, type TestComputer } from '../testing/test-computer.ts';
import { runChecks } from './testing/run-checks.ts';

const DAY = 86_400_000;
const asControlPlane: RequestListener = (_, response) => {
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end('{"error": {"code": "unauthorized", "message": "enroll first", "details": {}}}');
};

let place: TestComputer;
let root: CertificateAndKey;
const servers: (Server | ReturnType<typeof createPlainServer>)[] = [];
beforeEach(async () => {
  place = createTestComputer();
  root = await createRoot({ name: 'Tenant Root CA', now: Date.now() });
  place.trust(root.certificatePem);
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await place[Symbol.asyncDispose]();
});

interface Fault {
  by?: string;
  names?: string[];
  now?: number;
  answer?: RequestListener;
}

/** Starts a server with a certificate of its own authority, to which the profile points. */
async function serve({ by, names = ['127.0.0.1'], now = Date.now(), answer }: Fault) {
  const authority = by ? await createRoot({ name: by, now: Date.now() - 100 * DAY }) : root;
  const own = await issueServerCertificate(authority, { names, now });
  const server = createServer(
    { cert: `${own.certificatePem}\n${authority.certificatePem}`, key: own.privateKeyPem },
    answer ?? asControlPlane,
  );
  manage(await listening(server));
}

async function listening(server: Server | ReturnType<typeof createPlainServer>): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const manage = (api_url: string) => place.manage({ api_url, api_key: 'svc_sk_0123456789abcdef' });

test('a working control plane has no problem', async () => {
  await serve({});
  const checks = await runChecks(place);
  const ids = ['address', 'connection', 'certificate', 'answer'].map((id) => `control-plane-${id}`);
  for (const id of [...ids, 'clock'])
    expect(checks.get(id)).toMatchObject({ state: 'ok', advice: null });
  expect(checks.get('control-plane-certificate')?.seen).toContain('"Tenant Root CA"');
});

describe('the certificate', () => {
  test.each<[string, Fault, string, string]>([
    ['has expired', { now: Date.now() - 1000 * DAY }, 'expired on 20', 'Renew the certificate'],
    [
      'is for another name',
      { names: ['other.test'] },
      'is for another name: other.test.',
      'api_url',
    ],
    [
      'is not valid yet',
      { now: Date.now() + 2 * DAY },
      'on this computer.',
      'Set the clock of this computer',
    ],
    [
      'is of a proxy that inspects TLS',
      { by: 'Zscaler Intermediate Root CA' },
      'its authority is "Zscaler Intermediate Root CA" (',
      'from TLS inspection.',
    ],
    [
      'is of another tenant',
      { by: 'Other Root CA' },
      "The profile's root is missing, or belongs to another tenant.",
      'If "Other Root CA" is a proxy of the company, exempt 127.0.0.1:',
    ],
  ])('%s', async (_, fault, seen, advice) => {
    await serve(fault);
    const check = (await runChecks(place)).get('control-plane-certificate');
    expect(check?.state).toBe('problem');
    expect(check?.seen).toContain(seen);
    expect(check?.advice?.what).toContain(advice);
  });

  test('is from an authority that this computer trusts, but that is not public', async () => {
    await serve({});
    const seen = (await runChecks(place)).get('control-plane-certificate')?.seen;
    expect(seen).toMatch(
      /It is not a public one: it is the tenant's root, or a proxy of the company\.$/,
    );
  });
});

describe('the connection', () => {
  test('fails if the name does not resolve', async () => {
    manage('https://gatehouse.invalid');
    const checks = await runChecks(place);
    expect(checks.get('control-plane-address')).toMatchObject({
      state: 'problem',
      seen: expect.stringMatching(
        /^The name gatehouse\.invalid of the control plane cannot be resolved \(E\w+\)\.$/,
      ) as string,
      advice: { who: 'IT' },
    });
    expect(checks.get('control-plane-connection')).toMatchObject({
      state: 'not checked',
      seen: 'No connection was tried, because the name gatehouse.invalid does not resolve.',
    });
    expect(checks.get('clock')?.seen).toMatch(/and none came\.$/);
  });

  test('fails if nothing listens, and an unused proxy is named', async () => {
    const server = createPlainServer();
    manage(await listening(server));
    servers.pop();
    await new Promise((resolve) => server.close(resolve));
    expect((await runChecks(place)).get('control-plane-connection')?.seen).toMatch(
      /cannot be reached: ECONNREFUSED \(nothing listens there, or a firewall refuses\)\.$/,
    );
    const shell = { proxies: { HTTPS_PROXY: 'http://ada:secret@proxy.test:3128' } };
    const checks = await runChecks(place, { shell });
    expect(checks.get('control-plane-connection')?.seen).toMatch(
      /A proxy is set on this computer \(proxy\.test:3128\), but the agent connects directly\.$/,
    );
    expect(JSON.stringify([...checks.values()])).not.toContain('secret');
  });

  test('fails if the server does not use TLS', async () => {
    manage(await listening(createPlainServer(asControlPlane)));
    const check = (await runChecks(place)).get('control-plane-certificate');
    expect(check?.seen).toMatch(/does not speak TLS as expected/);
    expect(check?.advice?.what).toContain('DEVICE_URL');
  });
});

describe('the response', () => {
  const answering =
    (status: number, body: string, headers = {}): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    };

  test.each<[string, RequestListener, string, string]>([
    [
      'an error',
      answering(503, '{"error": {"code": "unavailable", "message": "the disk is full"}}'),
      'The control plane answers with an error: 503 the disk is full.',
      'admin',
    ],
    ['a sign-in page', answering(200, '<html>'), 'A server other than a Gatehouse', 'IT'],
    ['a proxy', answering(407, ''), 'asks for a sign-in (407)', 'IT'],
    ['nothing', (request) => request.socket.destroy(), 'did not answer a request', 'IT'],
  ])('is %s', async (_, answer, seen, who) => {
    await serve({ answer });
    const check = (await runChecks(place)).get('control-plane-answer');
    expect(check).toMatchObject({ state: 'problem', advice: { who } });
    expect(check?.seen).toContain(seen);
  });

  test('shows that the clock of this computer is wrong', async () => {
    const date = new Date(Date.now() + 3 * 3_600_000).toUTCString();
    await serve({ answer: answering(401, '{"error": {"code": "a", "message": "b"}}', { date }) });
    expect((await runChecks(place)).get('clock')).toMatchObject({
      state: 'problem',
      seen: "The clock of this computer is 3 hours behind the control plane's: certificates look expired or not yet valid.",
      advice: { who: 'user' },
    });
  });
});
