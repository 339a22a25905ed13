import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, createServer, type Server } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectUpstream } from './upstream.ts';

const HOST = 'api.openai.com';
const hello = { name: HOST, protocols: ['http/1.1'], verifiesP256: true };

let folder: string;
let server: Server;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'upstream-'))));
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Connects to a server whose certificate, trusted as a root, has these options of `openssl req`. */
async function connectWith(...options: string[]) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, '-days', '2', ...options, ...files], {
    stdio: 'ignore',
  });
  const cert = readFileSync(certificate);
  server = createServer({ key: readFileSync(key), cert }, (socket) =>
    socket.on('error', () => undefined),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return connectUpstream({ host: '127.0.0.1', port, name: null }, HOST, hello, {
    signal: new AbortController().signal,
    secureContext: createSecureContext({ ca: cert }),
  });
}

test('the alternative name of a certificate counts', async () => {
  const { stream } = await connectWith('-subj', '/CN=x', '-addext', `subjectAltName=DNS:${HOST}`);
  expect(stream.authorized).toBe(true);
  stream.destroy();
});

test.each([
  ['a common name alone', []],
  ['an address as its alternative name', ['-addext', 'subjectAltName=IP:127.0.0.1']],
])('a certificate with %s is refused, as in browsers', async (_, options) => {
  await expect(connectWith('-subj', `/CN=${HOST}`, ...options)).rejects.toThrow(
    'the certificate has no DNS name',
  );
});
