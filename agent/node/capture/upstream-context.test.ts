import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import type { CertificateAndKey } from '#pki/sign-certificate.ts';
import { createUpstreamContexts } from './upstream-context.ts';

const NAME = 'api.openai.com';
const now = Date.now();
const [world, tenant] = await Promise.all(
  ['World', 'Tenant'].map((name) => createRoot({ name, now })),
);
if (!world || !tenant) throw new Error('no roots');

/** The result of a handshake with a server whose certificate this root has issued. */
async function handshake(
  root: CertificateAndKey,
  contexts: ReturnType<typeof createUpstreamContexts>,
): Promise<string> {
  const issued = await issueServerCertificate(root, { names: [NAME], now });
  const server = createServer({ key: issued.privateKeyPem, cert: issued.certificatePem });
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { host: '127.0.0.1', port, servername: NAME, secureContext: contexts() };
  const socket = connect(options);
  const result = await new Promise<string>((resolve) => {
    socket.on('secureConnect', () => resolve('accepted'));
    socket.on('error', ({ message }) => resolve(message));
  });
  socket.destroy();
  server.close();
  return result;
}

test("servers are verified with the system's roots, but not with those of the tenant among them", async () => {
  // The trust store of a system may have other line ends.
  const inStore = tenant.certificatePem.replaceAll('\n', '\r\n');
  let tenantRoots = [tenant.certificatePem];
  const systemRoots = vi.fn<() => string[]>(() => [inStore, world.certificatePem]);
  const contexts = createUpstreamContexts({ systemRoots, tenantRoots: () => tenantRoots });
  expect(systemRoots).not.toHaveBeenCalled();
  expect(await handshake(world, contexts)).toBe('accepted');
  expect(await handshake(tenant, contexts)).toMatch(/^unable to verify the first certificate/);
  expect(systemRoots).toHaveBeenCalledOnce();
  tenantRoots = [];
  expect(await handshake(tenant, contexts)).toBe('accepted');
});
