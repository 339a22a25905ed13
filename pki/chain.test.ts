import { once } from 'node:events';
import { createServer, connect } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createRoot,
  issueIdentity,
  issueIntermediate,
  issueServerCertificate,
} from './authority.ts';
import type { CertificateAndKey } from './authority.ts';
import { describeCertificate } from './certificate.ts';
import { createCrl } from './crl.ts';
import { createCsr, type CsrFacts, readCsr } from './csr.ts';
import { generateKeyPair, type KeyPair } from './keys.ts';
import { createOpenSsl, type OpenSsl, signWithOpenSsl } from './testing/openssl.ts';

// Node validates against the machine's clock, so these certificates are valid today.
const now = Date.now();
const eu = { servername: 'eu.api.openai.com' };
const leaf = (names: string) =>
  `basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName=${names}\n`;

let openssl: OpenSsl;
let root: CertificateAndKey;
beforeAll(async () => {
  openssl = await createOpenSsl();
  root = await createRoot({ name: 'Example root', now });
  const keys = await generateKeyPair();
  const csr = await readCsr(await createCsr({ ...keys, commonName: 'a mac' }));
  const hosts = ['api.openai.com', 'claude.ai'];
  await openssl.write('root.pem', root.certificatePem);
  await openssl.write('root.key', root.privateKeyPem);
  await openssl.write(
    'device.pem',
    await issueIntermediate(root, { csr, deviceId: 'dev_1', hosts, now }),
  );
  await openssl.write('device.key', keys.privateKeyPem);
});
afterAll(() => openssl[Symbol.asyncDispose]());

/**
 * Performs a TLS handshake over loopback. Returns `ok`, or the reason why the client rejected the
 * server.
 */
async function handshake(
  server: { cert: string; key: string },
  host: { servername: string } | { host: string },
): Promise<string> {
  const listener = createServer(server).listen(0, '127.0.0.1');
  listener.on('tlsClientError', () => {});
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, ca: root.certificatePem, ...host });
  try {
    await once(socket, 'secureConnect');
    return 'ok';
  } catch (error) {
    return (error as Error).message;
  } finally {
    socket.destroy();
    listener.close();
  }
}

async function present(name: string, through: string[]): Promise<{ cert: string; key: string }> {
  const chain = await Promise.all([name, ...through].map((it) => openssl.read(`${it}.pem`)));
  return { cert: chain.join(''), key: await openssl.read(`${name}.key`) };
}

describe('a leaf issued by a device', { tags: ['openssl'] }, () => {
  test.each([
    ['for an enabled host', 'DNS:claude.ai', { servername: 'claude.ai' }],
    ['for two enabled hosts', 'DNS:claude.ai,DNS:api.openai.com', { servername: 'api.openai.com' }],
  ])('%s is accepted', async (_, names, host) => {
    await signWithOpenSsl(openssl, { issuer: 'device', name: 'leaf', extensions: leaf(names) });
    const verified = await openssl.run(
      'verify -purpose sslserver -CAfile root.pem -untrusted device.pem leaf.pem',
    );
    expect(verified).toEqual({ ok: true, output: 'leaf.pem: OK\n' });
    expect(await handshake(await present('leaf', ['device']), host)).toBe('ok');
  });

  test.each([
    ['another host', 'DNS:api.anthropic.com', { servername: 'api.anthropic.com' }, 'permitted'],
    ['a host above', 'DNS:openai.com', { servername: 'openai.com' }, 'permitted'],
    ['a wildcard above', 'DNS:*.openai.com', { servername: 'api.openai.com' }, 'permitted'],
    ['one host of two', 'DNS:claude.ai,DNS:x.example', { servername: 'claude.ai' }, 'permitted'],
    ['a host below that is one of its own', 'DNS:eu.api.openai.com', eu, 'excluded'],
    ['what is below such a host', 'DNS:a.eu.api.openai.com', eu, 'excluded'],
    ['an IPv4 address', 'IP:127.0.0.1', { host: '127.0.0.1' }, 'excluded'],
    ['an IPv6 address', 'DNS:claude.ai,IP:::1', { servername: 'claude.ai' }, 'excluded'],
  ])('for %s is rejected', async (_, names, host, which) => {
    await signWithOpenSsl(openssl, { issuer: 'device', name: 'leaf', extensions: leaf(names) });
    const verified = await openssl.run('verify -CAfile root.pem -untrusted device.pem leaf.pem');
    expect(verified.ok).toBe(false);
    expect(verified.output).toContain(`${which} subtree violation`);
    expect(await handshake(await present('leaf', ['device']), host)).toBe(
      `${which} subtree violation`,
    );
  });

  // No constraint prevents these cases, as listed in `docs/threat-model.md`.
  test.each([
    ['a subdomain of an enabled host', 'DNS:bank.claude.ai', { servername: 'bank.claude.ai' }],
    ['a wildcard over one that is excluded', 'DNS:*.api.openai.com', eu],
  ])('for %s is accepted', async (_, names, host) => {
    await signWithOpenSsl(openssl, { issuer: 'device', name: 'leaf', extensions: leaf(names) });
    const verified = await openssl.run('verify -CAfile root.pem -untrusted device.pem leaf.pem');
    expect(verified.output).toBe('leaf.pem: OK\n');
    expect(await handshake(await present('leaf', ['device']), host)).toBe('ok');
  });

  test('for a subdomain is accepted only if that host is enabled too', async () => {
    const keys = await generateKeyPair();
    const csr = await readCsr(await createCsr({ ...keys, commonName: 'a mac' }));
    const hosts = ['API.openai.com', 'eu.api.openai.com'];
    const wider = await issueIntermediate(root, { csr, deviceId: 'dev_1', hosts, now });
    await openssl.write('wider.pem', wider);
    await openssl.write('wider.key', keys.privateKeyPem);
    const verify = async (name: string) => {
      const extensions = leaf(`DNS:${name}`);
      await signWithOpenSsl(openssl, { issuer: 'wider', name: 'leaf', extensions });
      return openssl.run('verify -CAfile root.pem -untrusted wider.pem leaf.pem');
    };
    expect((await verify('eu.api.openai.com')).output).toBe('leaf.pem: OK\n');
    expect((await verify('us.api.openai.com')).output).toContain('excluded subtree violation');
  });

  test('is rejected below an authority issued by the device', async () => {
    await signWithOpenSsl(openssl, {
      issuer: 'device',
      name: 'deeper',
      extensions: 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n',
    });
    const extensions = leaf('DNS:claude.ai');
    await signWithOpenSsl(openssl, { issuer: 'deeper', name: 'leaf', extensions });
    await openssl.write('chain.pem', (await present('deeper', ['device'])).cert);

    // Verified from the root and from the device's authority alone, because each limits the
    // validity.
    for (const anchor of ['-CAfile root.pem', '-partial_chain -CAfile device.pem']) {
      const verified = await openssl.run(`verify ${anchor} -untrusted chain.pem leaf.pem`);
      expect(verified.ok).toBe(false);
      expect(verified.output).toContain('path length constraint exceeded');
    }
    expect(
      await handshake(await present('leaf', ['deeper', 'device']), { servername: 'claude.ai' }),
    ).toBe('path length constraint exceeded');
  });
});

describe('expired certificates', () => {
  const expired = now - 31 * 86_400_000;
  const certified = async (): Promise<{ csr: CsrFacts; keys: KeyPair }> => {
    const keys = await generateKeyPair();
    return { keys, csr: await readCsr(await createCsr({ ...keys, commonName: 'a mac' })) };
  };

  test('an identity is rejected', { tags: ['openssl'] }, async () => {
    const { csr } = await certified();
    const pem = await issueIdentity(root, { csr, deviceId: 'dev_2', now: expired });
    await openssl.write('old.pem', pem);
    const verified = await openssl.run('verify -purpose sslclient -CAfile root.pem old.pem');
    expect([verified.ok, verified.output]).toEqual([
      false,
      expect.stringContaining('certificate has expired'),
    ]);
  });

  test(
    'an authority is rejected, with a leaf that is still valid',
    { tags: ['openssl'] },
    async () => {
      const { csr, keys } = await certified();
      const order = { csr, deviceId: 'dev_2', hosts: ['claude.ai'], now: expired };
      await openssl.write('old.pem', await issueIntermediate(root, order));
      await openssl.write('old.key', keys.privateKeyPem);
      const extensions = leaf('DNS:claude.ai');
      await signWithOpenSsl(openssl, { issuer: 'old', name: 'leaf', extensions });
      const verified = await openssl.run('verify -CAfile root.pem -untrusted old.pem leaf.pem');
      expect([verified.ok, verified.output]).toEqual([
        false,
        expect.stringContaining('certificate has expired'),
      ]);
      const refused = await handshake(await present('leaf', ['old']), { servername: 'claude.ai' });
      expect(refused).toBe('certificate has expired');
    },
  );

  test(
    'a revoked authority is rejected, with all its leaves, by clients with the list',
    { tags: ['openssl'] },
    async () => {
      const { csr, keys } = await certified();
      const order = { csr, deviceId: 'dev_3', hosts: ['claude.ai'], now };
      const pem = await issueIntermediate(root, order);
      await openssl.write('revoked.pem', pem);
      await openssl.write('revoked.key', keys.privateKeyPem);
      const extensions = leaf('DNS:claude.ai');
      await signWithOpenSsl(openssl, { issuer: 'revoked', name: 'leaf', extensions });
      const { serial } = describeCertificate(pem);
      const list = {
        number: 1,
        now,
        validityMs: 86_400_000,
        revoked: [{ serial, revokedAt: now }],
      };
      const crl = Buffer.from(await createCrl(root, list)).toString('base64');
      await openssl.write('crl.pem', `-----BEGIN X509 CRL-----\n${crl}\n-----END X509 CRL-----\n`);
      const check = 'verify -crl_check -CAfile root.pem -CRLfile crl.pem';
      const refused = await openssl.run(`${check} revoked.pem`);
      expect([refused.ok, refused.output]).toEqual([
        false,
        expect.stringContaining('certificate revoked'),
      ]);
      expect((await openssl.run(`${check} device.pem`)).output).toBe('device.pem: OK\n');
    },
  );

  test.each([
    ['in date and not revoked', now, false, undefined],
    ['expired', expired, false, 'CERT_HAS_EXPIRED'],
    ['revoked', now, true, 'CERT_REVOKED'],
  ])('an identity that is %s, on a Node server with the list', async (_, at, ends, error) => {
    const { csr, keys } = await certified();
    const identity = await issueIdentity(root, { csr, deviceId: 'dev_4', now: at });
    const revoked = ends ? [{ serial: describeCertificate(identity).serial, revokedAt: now }] : [];
    const list = await createCrl(root, { number: 1, now, validityMs: 86_400_000, revoked });
    const crl = `-----BEGIN X509 CRL-----\n${Buffer.from(list).toString('base64')}\n-----END X509 CRL-----\n`;
    const own = await issueServerCertificate(root, { names: ['127.0.0.1'], now });
    const trust = { ca: root.certificatePem, requestCert: true, rejectUnauthorized: false };
    const listener = createServer({
      ...trust,
      crl,
      cert: own.certificatePem,
      key: own.privateKeyPem,
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const device = { cert: identity, key: keys.privateKeyPem, ca: root.certificatePem };
    const socket = connect({ host: '127.0.0.1', port, ...device });
    const [peer] = await once(listener, 'secureConnection');
    expect([peer.authorized, peer.authorizationError ?? undefined]).toEqual([!error, error]);
    socket.destroy();
    listener.close();
  });
});

describe('mutual TLS between listener and device', () => {
  test('identifies the device by its identity certificate', async () => {
    const server = await issueServerCertificate(root, { names: ['127.0.0.1'], now });
    const keys = await generateKeyPair();
    const csr = await readCsr(await createCsr({ ...keys, commonName: 'a mac' }));
    const identity = await issueIdentity(root, { csr, deviceId: 'dev_1', now });
    const listener = createServer({
      cert: server.certificatePem,
      key: server.privateKeyPem,
      ca: root.certificatePem,
      requestCert: true,
      rejectUnauthorized: true,
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const socket = connect({
      host: '127.0.0.1',
      port,
      ca: root.certificatePem,
      cert: identity,
      key: keys.privateKeyPem,
    });
    const [peer] = await once(listener, 'secureConnection');
    expect(peer.getPeerCertificate().subjectaltname).toBe('URI:urn:svc:device:dev_1');
    socket.destroy();
    listener.close();
  });
});
