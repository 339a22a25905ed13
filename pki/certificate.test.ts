import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRoot, issueIdentity, issueIntermediate } from './authority.ts';
import { describeCertificate } from './certificate.ts';
import { createCsr, readCsr } from './csr.ts';
import { generateKeyPair } from './keys.ts';

const now = Date.UTC(2026, 10, 21);
const HOUR = 3_600_000;

describe('describeCertificate', () => {
  test('describes an issued certificate', async () => {
    const root = await createRoot({ name: 'Example root', now });
    const csr = await readCsr(await createCsr({ ...(await generateKeyPair()), commonName: 'x' }));
    const hosts = ['claude.ai', 'api.openai.com'];
    const identity = await issueIdentity(root, { csr, deviceId: 'dev_1', now });
    const intermediate = await issueIntermediate(root, { csr, deviceId: 'dev_1', hosts, now });

    const plain = { notBefore: now - HOUR, deviceId: null, permittedHosts: [] };
    const cases: [string, object][] = [
      [
        root.certificatePem,
        { ...plain, subject: 'CN=Example root', notAfter: now + 3650 * 24 * HOUR },
      ],
      [
        identity,
        { ...plain, subject: 'CN=dev_1', deviceId: 'dev_1', notAfter: now + 30 * 24 * HOUR },
      ],
      [
        intermediate,
        {
          ...plain,
          subject: 'CN=dev_1 capture',
          permittedHosts: hosts,
          notAfter: now + 30 * 24 * HOUR,
        },
      ],
    ];
    for (const [pem, facts] of cases) {
      const { serialNumber: serial, fingerprint256 } = new X509Certificate(pem);
      expect(describeCertificate(pem)).toEqual({ ...facts, serial, fingerprint256 });
    }
  });

  test('rejects input that is not a certificate', () => {
    for (const pem of ['', 'x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])
      expect(() => describeCertificate(pem)).toThrow(
        'certificate: expected a PEM block "CERTIFICATE", found something else',
      );
  });
});
