import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server as HttpsServer, type ServerOptions } from 'node:https';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import { createControlPlaneClient, originOf } from './control-plane-client.ts';
import { describeFailure, type RequestFailure } from './request-failure.ts';

const now = Date.now();
const root = await createRoot({ name: 'Test', now });
const own = await issueServerCertificate(root, { names: ['127.0.0.1'], now });
const tls: ServerOptions = { cert: own.certificatePem, key: own.privateKeyPem };

const servers: (Server | HttpsServer)[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function listen(server: Server | HttpsServer): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener, more: ServerOptions = {}): Promise<number> =>
  listen(createServer({ ...tls, ...more }, listener));

/** Returns the error of a configuration request to this port. `PORT` is replaced by the port. */
async function failureAt(
  port: number,
  { roots = [root.certificatePem], timeoutMs = 10_000 } = {},
): Promise<RequestFailure> {
  const client = createControlPlaneClient({
    apiUrl: `https://127.0.0.1:${port}`,
    roots,
    timeoutMs,
  });
  try {
    throw new Error(`got ${JSON.stringify(await client.device.getConfig())}`);
  } catch (error) {
    const failure = describeFailure(error, client.origin);
    return { ...failure, line: failure.line.replaceAll(String(port), 'PORT') };
  } finally {
    client.close();
  }
}

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

const expired = async (): Promise<number> => {
  const old = await issueServerCertificate(root, {
    names: ['127.0.0.1'],
    now: now - 91 * 86_400_000,
  });
  return serve(() => {}, { cert: old.certificatePem, key: old.privateKeyPem });
};

const unreachable: [string, () => Promise<number>, string][] = [
  ['no server listens', closedPort, 'cannot reach 127.0.0.1:PORT: ECONNREFUSED'],
  [
    'the line is cut',
    () => listen(createTcpServer((socket) => socket.destroy())),
    'cannot reach 127.0.0.1:PORT: ECONNRESET',
  ],
  [
    'no response',
    () => listen(createTcpServer((socket) => socket.on('error', () => {}))),
    'cannot reach 127.0.0.1:PORT: no answer in time',
  ],
  [
    'the answer never ends',
    () => serve((_, response) => response.writeHead(200).write('{')),
    'cannot reach 127.0.0.1:PORT: no answer in time',
  ],
  [
    'it is not TLS',
    () => listen(createHttpServer()),
    '127.0.0.1:PORT does not speak TLS as expected (',
  ],
  [
    'its certificate has expired',
    expired,
    'certificate of 127.0.0.1:PORT refused: certificate has expired (CERT_HAS_EXPIRED)',
  ],
  [
    'the answer is huge',
    () => serve((_, response) => response.end(Buffer.alloc(9 * 1024 * 1024))),
    'cannot reach 127.0.0.1:PORT: answer larger than 8388608 bytes',
  ],
];

test.each(unreachable)('a request that fails: %s', async (_, start, line) => {
  // Only requests that never get a response have the short time limit.
  const timeoutMs = line.endsWith('no answer in time') ? 300 : 10_000;
  const failure = await failureAt(await start(), { timeoutMs });
  expect(failure).toEqual({
    errorClass: 'unreachable',
    status: null,
    retryAfterMs: null,
    identityRefused: false,
    line: expect.stringContaining(line) as string,
  });
});

test('a certificate that no trusted root has issued', async () => {
  const other = await createRoot({ name: 'Other', now });
  const port = await serve(() => {});
  expect((await failureAt(port, { roots: [other.certificatePem] })).line).toBe(
    'certificate of 127.0.0.1:PORT refused: unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  );
});

const answers: [number, string, Partial<RequestFailure>][] = [
  [
    200,
    '<html>Sign in to the network</html>',
    { errorClass: 'answer', line: '127.0.0.1:PORT answered something that is not JSON' },
  ],
  [
    401,
    '{"error":{"code":"unauthorized","message":"unknown"}}',
    {
      errorClass: 'refusal',
      status: 401,
      identityRefused: true,
      line: '401 unauthorized: unknown at https://127.0.0.1:PORT',
    },
  ],
  [
    403,
    '{"error":"revoked"}',
    {
      errorClass: 'refusal',
      status: 403,
      identityRefused: false,
      line: '403: revoked at https://127.0.0.1:PORT',
    },
  ],
  [
    302,
    '',
    { errorClass: 'refusal', status: 302, line: '302: HTTP 302 at https://127.0.0.1:PORT' },
  ],
  [
    502,
    'Bad gateway',
    { errorClass: 'refusal', status: 502, line: '502: HTTP 502 at https://127.0.0.1:PORT' },
  ],
];

test.each(answers)('the response %i %s', async (status, text, failure) => {
  const port = await serve((_, response) => response.writeHead(status).end(text));
  expect(await failureAt(port)).toMatchObject(failure);
});

test('a server that requires a client certificate refuses this identity during the TLS handshake', async () => {
  const port = await serve(() => {}, {
    ca: root.certificatePem,
    requestCert: true,
    rejectUnauthorized: true,
  });
  expect(await failureAt(port)).toMatchObject({
    errorClass: 'unreachable',
    identityRefused: true,
    line: expect.stringContaining("127.0.0.1:PORT refused this device's certificate (") as string,
  });
});

test('connections are reused, and one that was just closed does not fail a request', async () => {
  let connections = 0;
  let requests = 0;
  const server = createServer(tls, (request, response) => {
    requests += 1;
    // The third request on the reused connection meets its end.
    if (requests === 3) request.socket.destroy();
    else response.end('{}');
  });
  server.on('secureConnection', () => (connections += 1));
  const port = await listen(server);
  const client = createControlPlaneClient({
    apiUrl: `https://127.0.0.1:${port}`,
    roots: [root.certificatePem],
  });
  for (let i = 0; i < 4; i += 1) await client.device.getConfig();
  client.close();
  expect([requests, connections]).toEqual([5, 2]);
});

test.each([
  ['https://a.example', 'https://a.example:443'],
  ['https://a.example:8443/base/', 'https://a.example:8443'],
])('%s is shown as %s', (url, origin) => {
  expect(originOf(url)).toBe(origin);
});
