import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createRoot,
  type CertificateAndKey,
  issueIdentity,
  issueIntermediate,
  issueServerCertificate,
} from './authority.ts';
import { createCsr, type CsrFacts, readCsr } from './csr.ts';
import { generateKeyPair } from './keys.ts';
import { createOpenSsl, type OpenSsl } from './testing/openssl.ts';

const now = Date.UTC(2026, 10, 21, 12, 30, 15, 250);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECOND = now - 250;

let openssl: OpenSsl;
let root: CertificateAndKey;
let csr: CsrFacts;
beforeAll(async () => {
  openssl = await createOpenSsl();
  root = await createRoot({ name: 'Example "tenant", root', now });
  csr = await readCsr(await createCsr({ ...(await generateKeyPair()), commonName: 'a mac' }));
  await openssl.write('root.pem', root.certificatePem);
});
afterAll(() => openssl[Symbol.asyncDispose]());

const serial = /Serial Number:\s+([0-9a-f:]+)/;
const keyIds = /([0-9A-F]{2}:){19}[0-9A-F]{2}/g;

/** The extensions in the output of `openssl x509 -text`, without key ids and blanks. */
async function extensionsOf(pem: string): Promise<string[]> {
  await openssl.write('x.pem', pem);
  const { output } = await openssl.run('x509 -in x.pem -noout -text -certopt ext_error');
  const [, extensions = ''] = output.split('X509v3 extensions:');
  return extensions
    .slice(0, extensions.indexOf('Signature Algorithm'))
    .replace(keyIds, '<key id>')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function lifetimeOf(pem: string): [number, number] {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return [validFromDate.getTime(), validToDate.getTime()];
}

describe('createRoot', () => {
  test(
    'creates an authority with one level below it, valid for ten years',
    { tags: ['openssl'] },
    async () => {
      expect(lifetimeOf(root.certificatePem)).toEqual([SECOND - HOUR, SECOND + 3650 * DAY]);
      expect(new X509Certificate(root.certificatePem).subject).toBe(
        String.raw`CN=Example \"tenant\"\, root`,
      );
      expect(await extensionsOf(root.certificatePem)).toEqual([
        'X509v3 Basic Constraints: critical',
        'CA:TRUE, pathlen:1',
        'X509v3 Key Usage: critical',
        'Certificate Sign, CRL Sign',
        'X509v3 Subject Key Identifier:',
        '<key id>',
      ]);
    },
  );
});

describe('issueIdentity', () => {
  test('names the device and is valid for TLS clients only', { tags: ['openssl'] }, async () => {
    const pem = await issueIdentity(root, { csr, deviceId: 'dev_1', now });
    const certificate = new X509Certificate(pem);
    expect(certificate.subject).toBe('CN=dev_1');
    expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(csr.publicKeyPem);
    expect(lifetimeOf(pem)).toEqual([SECOND - HOUR, SECOND + 30 * DAY]);
    expect(await extensionsOf(pem)).toEqual([
      'X509v3 Basic Constraints: critical',
      'CA:FALSE',
      'X509v3 Key Usage: critical',
      'Digital Signature',
      'X509v3 Extended Key Usage:',
      'TLS Web Client Authentication',
      'X509v3 Subject Alternative Name:',
      'URI:urn:svc:device:dev_1',
      'X509v3 Subject Key Identifier:',
      '<key id>',
      'X509v3 Authority Key Identifier:',
      '<key id>',
    ]);

    const verify = `verify -attime ${now / 1000 - 0.25} -CAfile root.pem`;
    expect(await openssl.run(`${verify} -purpose sslclient x.pem`)).toMatchObject({ ok: true });
    expect(await openssl.run(`${verify} -purpose sslserver x.pem`)).toMatchObject({ ok: false });
  });

  test('takes the device id from its caller, not from the request', async () => {
    const request = { ...csr, commonName: 'dev_2', deviceId: 'dev_2' };
    const pem = await issueIdentity(root, { csr: request, deviceId: 'dev_1', now });
    expect(new X509Certificate(pem).subject).toBe('CN=dev_1');
    expect(new X509Certificate(pem).subjectAltName).toBe('URI:urn:svc:device:dev_1');
  });
});

describe('issueIntermediate', () => {
  test('limits an authority to these hosts and to one level', { tags: ['openssl'] }, async () => {
    const hosts = ['chatgpt.com', 'claude.ai'];
    const pem = await issueIntermediate(root, { csr, deviceId: 'dev_1', hosts, now });
    expect(lifetimeOf(pem)).toEqual([SECOND - HOUR, SECOND + 30 * DAY]);
    expect(await extensionsOf(pem)).toEqual([
      'X509v3 Basic Constraints: critical',
      'CA:TRUE, pathlen:0',
      'X509v3 Key Usage: critical',
      'Certificate Sign, CRL Sign',
      'X509v3 Extended Key Usage:',
      'TLS Web Server Authentication',
      'X509v3 Name Constraints: critical',
      'Permitted:',
      'DNS:chatgpt.com',
      'DNS:claude.ai',
      'Excluded:',
      'DNS:sora.chatgpt.com',
      'IP:0.0.0.0/0.0.0.0',
      'IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0',
      'X509v3 Subject Key Identifier:',
      '<key id>',
      'X509v3 Authority Key Identifier:',
      '<key id>',
    ]);
  });

  test.each([
    [[], 'expected at least one host that a device may issue certificates for, found none'],
    [['claude.ai', '*.openai.azure.com'], 'expected host names, found "*.openai.azure.com"'],
    [['.openai.com'], 'expected host names, found ".openai.com"'],
    [[''], 'expected host names, found ""'],
    [['10.0.0.1'], 'expected host names, found "10.0.0.1"'],
  ])('refuses the hosts %j', async (hosts, message) => {
    await expect(issueIntermediate(root, { csr, deviceId: 'dev_1', hosts, now })).rejects.toThrow(
      `certificate authority: ${message}`,
    );
  });
});

describe('issueServerCertificate', () => {
  test('is valid for a TLS server under these names', { tags: ['openssl'] }, async () => {
    const names = ['gatehouse.example', '*.gatehouse.example', '127.0.0.1', '::1'];
    const { certificatePem: pem, privateKeyPem } = await issueServerCertificate(root, {
      names,
      now,
    });
    expect(lifetimeOf(pem)).toEqual([SECOND - HOUR, SECOND + 90 * DAY]);
    expect(await extensionsOf(pem)).toEqual([
      'X509v3 Basic Constraints: critical',
      'CA:FALSE',
      'X509v3 Key Usage: critical',
      'Digital Signature',
      'X509v3 Extended Key Usage:',
      'TLS Web Server Authentication',
      'X509v3 Subject Alternative Name:',
      'DNS:gatehouse.example, DNS:*.gatehouse.example, IP Address:127.0.0.1, ' +
        'IP Address:0:0:0:0:0:0:0:1',
      'X509v3 Subject Key Identifier:',
      '<key id>',
      'X509v3 Authority Key Identifier:',
      '<key id>',
    ]);
    await openssl.write('x.key', privateKeyPem);
    const publicKey = await openssl.run('pkey -in x.key -pubout');
    expect((await openssl.run('x509 -in x.pem -noout -pubkey')).output).toBe(publicKey.output);
  });

  test.each([[[]], [['a b']], [['x.example', 'https://x.example']]])(
    'refuses the names %j',
    async (names) => {
      await expect(issueServerCertificate(root, { names, now })).rejects.toThrow(
        'certificate authority: expected DNS names or IP addresses for a server certificate',
      );
    },
  );
});

describe('every certificate', () => {
  test(
    'has a positive serial of 16 bytes, different each time',
    { tags: ['openssl'] },
    async () => {
      const serials = new Set<string>();
      for (let i = 0; i < 20; i++) {
        await openssl.write('x.pem', await issueIdentity(root, { csr, deviceId: 'dev_1', now }));
        const { output } = await openssl.run('x509 -in x.pem -noout -text');
        serials.add(serial.exec(output)?.[1] ?? '');
      }
      expect(serials.size).toBe(20);
      for (const number of serials) expect(number).toMatch(/^[4-7][0-9a-f](:[0-9a-f]{2}){15}$/);
    },
  );

  test('does not outlive its root, and is not issued by an expired root', async () => {
    const late = SECOND + 3640 * DAY;
    const identity = await issueIdentity(root, { csr, deviceId: 'dev_1', now: late });
    expect(lifetimeOf(identity)).toEqual([late - HOUR, SECOND + 3650 * DAY]);
    await expect(
      issueIdentity(root, { csr, deviceId: 'dev_1', now: SECOND + 3650 * DAY }),
    ).rejects.toThrow('certificate authority: the root expired on 2036-11-18T12:30:15.000Z');
  });
});
