// @module-tag openssl

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoot, type CertificateAndKey, issueIdentity } from './authority.ts';
import { describeCertificate } from './certificate.ts';
import { certsOnly } from './certs-only.ts';
import { createCrl } from './crl.ts';
import { createCsr, readCsr } from './csr.ts';
import { generateKeyPair } from './keys.ts';
import { createOpenSsl, type OpenSsl } from './testing/openssl.ts';

const now = Date.now();
const WEEK = 7 * 86_400_000;

let openssl: OpenSsl;
let root: CertificateAndKey;
beforeAll(async () => {
  openssl = await createOpenSsl();
  root = await createRoot({ name: 'Example root', now });
  await openssl.write('root.pem', root.certificatePem);
});
afterAll(() => openssl[Symbol.asyncDispose]());

const identity = async (deviceId: string): Promise<string> => {
  const csr = await readCsr(await createCsr({ ...(await generateKeyPair()), commonName: 'mac' }));
  const crlUrl = 'https://gatehouse.example/crl/?authority=ca_1';
  return issueIdentity({ ...root, crlUrl }, { csr, deviceId, now });
};

const writeCrl = async (crl: Uint8Array): Promise<void> => {
  const pem = Buffer.from(crl).toString('base64');
  await openssl.write('crl.pem', `-----BEGIN X509 CRL-----\n${pem}\n-----END X509 CRL-----\n`);
};

describe('a revocation list', () => {
  test('makes OpenSSL reject the listed certificates, and no others', async () => {
    const [revoked, good] = [await identity('dev_1'), await identity('dev_2')];
    const { serial } = describeCertificate(revoked);
    const order = { number: 7, now, validityMs: WEEK, revoked: [{ serial, revokedAt: now }] };
    await writeCrl(await createCrl(root, order));
    await openssl.write('revoked.pem', revoked);
    await openssl.write('good.pem', good);
    const check = 'verify -crl_check -CAfile root.pem -CRLfile crl.pem';
    expect(await openssl.run(`${check} good.pem`)).toEqual({ ok: true, output: 'good.pem: OK\n' });
    const refused = await openssl.run(`${check} revoked.pem`);
    expect([refused.ok, refused.output]).toEqual([
      false,
      expect.stringContaining('certificate revoked'),
    ]);
  });

  test('is signed by the root, with the given number and dates', async () => {
    await writeCrl(await createCrl(root, { number: 300, now, validityMs: WEEK, revoked: [] }));
    const { output } = await openssl.run(
      'crl -in crl.pem -CAfile root.pem -verify -noout -crlnumber -nextupdate -text',
    );
    expect(output).toContain('verify OK');
    expect(output).toMatch(/crlNumber=0x0?12C/i);
    expect(output).toContain('No Revoked Certificates');
    const next = /nextUpdate=(.*)/.exec(output)?.[1] ?? '';
    expect(Date.parse(next)).toBe(Math.floor((now + WEEK) / 1000) * 1000);
  });

  test('is not valid for another root', async () => {
    const other = await createRoot({ name: 'Example root', now });
    await writeCrl(await createCrl(other, { number: 1, now, validityMs: WEEK, revoked: [] }));
    const { output } = await openssl.run('crl -in crl.pem -CAfile root.pem -verify -noout');
    expect(output).not.toContain('verify OK');
  });

  test('is located at the address in certificates', async () => {
    await openssl.write('named.pem', await identity('dev_3'));
    const { output } = await openssl.run('x509 -in named.pem -noout -ext crlDistributionPoints');
    expect(output).toContain('URI:https://gatehouse.example/crl/?authority=ca_1');
  });
});

test('OpenSSL reads a certs-only message without differences', async () => {
  const pems = [await identity('dev_4'), root.certificatePem];
  const base64 = Buffer.from(certsOnly(pems)).toString('base64');
  await openssl.write('certs.p7', `-----BEGIN PKCS7-----\n${base64}\n-----END PKCS7-----\n`);
  const { output } = await openssl.run('pkcs7 -in certs.p7 -print_certs');
  const read = output.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const fingerprints = (all: string[]) => all.map((pem) => describeCertificate(pem).fingerprint256);
  expect(fingerprints(read)).toEqual(fingerprints(pems));
});
