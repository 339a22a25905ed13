import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCsr, CsrError, readCsr } from './csr.ts';
import { generateKeyPair } from './keys.ts';
import { createOpenSsl, type OpenSsl } from './testing/openssl.ts';

const EXPECTED_KEY = 'expected an EC key on P-256 or P-384, or an RSA key of 2048 to 8192 bits';

let openssl: OpenSsl;
beforeAll(async () => {
  openssl = await createOpenSsl();
});
afterAll(() => openssl[Symbol.asyncDispose]());

async function requestFromOpenSsl(newKey: string, ...more: string[]): Promise<string> {
  const output = await openssl.run(
    `req -new -nodes -out a.csr -keyout a.key -newkey ${newKey} -subj`,
    '/O=Example/CN=some mac',
    ...more,
  );
  if (!output.ok) throw new Error(output.output);
  return openssl.read('a.csr');
}

const ec = (curve: string) => `ec -pkeyopt ec_paramgen_curve:${curve}`;
const names = (san: string) => ['-addext', `subjectAltName=${san}`];

function alterLastByte(pem: string): string {
  const [head, ...lines] = pem.trim().split('\n');
  const tail = lines.pop();
  const der = Buffer.from(lines.join(''), 'base64');
  const last = der.length - 1;
  der.writeUInt8(der.readUInt8(last) ^ 1, last);
  return [head, der.toString('base64'), tail].join('\n');
}

describe('createCsr', () => {
  test('creates a request that openssl and readCsr accept', { tags: ['openssl'] }, async () => {
    const keys = await generateKeyPair();
    const pem = await createCsr({ ...keys, commonName: 'Ünal, J.="x"', deviceId: 'dev_1' });
    await openssl.write('ours.csr', pem);

    const text = await openssl.run('req -in ours.csr -noout -text -verify');
    expect(text.output).toContain('self-signature verify OK');
    expect(text.output).toContain('ASN1 OID: prime256v1');
    expect(text.output).toContain('URI:urn:svc:device:dev_1');
    expect(await readCsr(pem)).toEqual({
      publicKeyPem: keys.publicKeyPem,
      subject: String.raw`CN=Ünal\, J.=\"x\"`,
      commonName: 'Ünal, J.="x"',
      serialNumber: '',
      names: ['url:urn:svc:device:dev_1'],
      deviceId: 'dev_1',
    });
  });

  test('names a device only if requested, and rejects invalid ids', async () => {
    const keys = await generateKeyPair();
    const pem = await createCsr({ ...keys, commonName: 'x' });
    expect(await readCsr(pem)).toMatchObject({ deviceId: null });
    await expect(createCsr({ ...keys, commonName: 'x', deviceId: 'a b' })).rejects.toThrow(
      'device id: expected 1 to 64 of A-Z a-z 0-9 _ -',
    );
  });

  test('does not reveal any part of an unreadable key', async () => {
    const keys = await generateKeyPair();
    await expect(createCsr({ ...keys, privateKeyPem: 'secret', commonName: 'x' })).rejects.toThrow(
      'private key: expected a PKCS#8 PEM of an ECDSA P-256 key',
    );
  });
});

describe('readCsr', { tags: ['openssl'] }, () => {
  test.each([
    ['EC P-256', ec('P-256')],
    ['EC P-384', `${ec('P-384')} -sha384`],
    ['RSA 2048', 'rsa:2048'],
  ])('reads a request with %s made by openssl', async (_, newKey) => {
    const pem = await requestFromOpenSsl(
      newKey,
      ...names('URI:urn:svc:device:dev_7,DNS:ignored.example'),
    );
    const publicKey = await openssl.run('pkey -in a.key -pubout');
    expect(await readCsr(pem)).toEqual({
      publicKeyPem: publicKey.output,
      subject: 'O=Example, CN=some mac',
      commonName: 'some mac',
      serialNumber: '',
      names: ['url:urn:svc:device:dev_7', 'dns:ignored.example'],
      deviceId: 'dev_7',
    });
  });

  test('reads the subject’s serial number, with which some clients identify a device', async () => {
    const pem = await requestFromOpenSsl(
      ec('P-256'),
      '-subj',
      '/CN=some mac/serialNumber=C02XK0AAJG5H',
    );
    expect(await readCsr(pem)).toMatchObject({ serialNumber: 'C02XK0AAJG5H', names: [] });
  });

  test('reads a request with the older label, other line ends, and no common name', async () => {
    const pem = await requestFromOpenSsl(ec('P-256'), '-newhdr', '-subj', '/O=Example');
    expect(pem).toContain('BEGIN NEW CERTIFICATE REQUEST');
    expect(await readCsr(pem.replaceAll('\n', '\r\n'))).toMatchObject({
      commonName: '',
      deviceId: null,
    });
  });

  test.each([
    ['RSA of 1024 bits', 'rsa:1024', [], `${EXPECTED_KEY}, found RSA of 1024 bits`],
    ['EC on another curve', ec('secp256k1'), [], `${EXPECTED_KEY}, found EC on secp256k1`],
    ['EC on P-521', ec('P-521'), [], `${EXPECTED_KEY}, found EC on secp521r1`],
    ['Ed25519', 'ed25519', [], `${EXPECTED_KEY}, found ed25519`],
    [
      'a signature with SHA-1',
      'rsa:2048',
      ['-sha1'],
      'expected a signature with SHA-256 or longer, found SHA-1',
    ],
    ...['urn:svc:device:', 'urn:svc:device:a/b', 'urn:svc:admin:x', 'https://x.example'].map(
      (uri): [string, string, string[], string] => [
        `the URI ${uri}`,
        ec('P-256'),
        names(`URI:${uri}`),
        'expected at most one SAN URI, urn:svc:device:<id>, found something else',
      ],
    ),
    [
      'two device URIs',
      ec('P-256'),
      names('URI:urn:svc:device:a,URI:urn:svc:device:b'),
      'expected at most one SAN URI, urn:svc:device:<id>, found something else',
    ],
  ])('rejects %s', async (_, newKey, more, message) => {
    const pem = await requestFromOpenSsl(newKey, ...more);
    await expect(readCsr(pem)).rejects.toEqual(new CsrError(message));
  });

  test('rejects an altered signature', async () => {
    const pem = alterLastByte(await requestFromOpenSsl(ec('P-256')));
    await expect(readCsr(pem)).rejects.toEqual(
      new CsrError('expected a signature by its own key, found one that does not verify'),
    );
  });

  test('rejects garbage', async () => {
    const noPem = new CsrError(
      'expected one PEM block "CERTIFICATE REQUEST", found something else',
    );
    const { privateKeyPem } = await generateKeyPair();
    const csr = await requestFromOpenSsl(ec('P-256'));
    for (const garbage of ['', 'x', privateKeyPem, csr + csr, csr.slice(0, -30)])
      await expect(readCsr(garbage)).rejects.toEqual(noPem);

    const inside = (base64: string) =>
      `-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`;
    const unreadable = new CsrError('expected PKCS#10, found data that cannot be parsed');
    for (const base64 of ['AAAA', 'MAA=', Buffer.from('{"a": 1}').toString('base64')])
      await expect(readCsr(inside(base64))).rejects.toEqual(unreadable);
  });

  test('reads a damaged request without differences, or throws a CsrError', async () => {
    const pem = await createCsr({ ...(await generateKeyPair()), commonName: 'x', deviceId: 'a' });
    const facts = await readCsr(pem);
    const der = Buffer.from(pem.split('\n').slice(1, -1).join(''), 'base64');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(der.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, mask) => {
          const damaged = Buffer.from(der);
          damaged.writeUInt8(damaged.readUInt8(at) ^ mask, at);
          const text = damaged.toString('base64');
          const request = `-----BEGIN CERTIFICATE REQUEST-----\n${text}\n-----END CERTIFICATE REQUEST-----`;
          const read = await readCsr(request).catch((error: unknown) => error);
          expect(read instanceof CsrError ? facts : read).toEqual(facts);
        },
      ),
      { numRuns: 300 },
    );
  });
});
