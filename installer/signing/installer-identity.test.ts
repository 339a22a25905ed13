// @module-tag openssl

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority, type TestAuthority } from '../testing/authority.ts';
import { createRsaKey, resign, type TestCertificate } from '../testing/certificates.ts';
import { createWorkshop, type Workshop } from '../testing/workshop.ts';
import { loadInstallerIdentity } from './installer-identity.ts';

let workshop: Workshop;
let authority: TestAuthority;
beforeAll(async () => {
  workshop = await createWorkshop();
  authority = await createTestAuthority();
});
afterAll(() => workshop[Symbol.asyncDispose]());

function write({ certificate, key }: TestCertificate): Promise<string> {
  const certificates = [certificate, authority.authority.certificate, authority.root.certificate];
  return workshop.writePkcs12('id.p12', { key, certificates, password: 'secret' });
}

describe('an identity for packages', () => {
  test('is a Developer ID Installer identity', async () => {
    const own = await authority.issueInstaller();
    const identity = await loadInstallerIdentity(await write(own), 'secret', Date.now());
    expect(identity.chain[0].serialNumber).toBe(own.certificate.serialNumber);
    expect(identity.teamId).toBe('GATEHOUSE1');
  });

  test.each<[string, () => Promise<TestCertificate>, RegExp]>([
    [
      'with a short key',
      async () => authority.issueInstaller({ key: await createRsaKey(1024) }),
      /has a key that is too weak or unknown \(rsa, 1024 bits\)$/,
    ],
    [
      'with a weak signature',
      async () => resign(await authority.issueInstaller(), authority.authority, 'sha1'),
      /is signed with .*sha1.*, which is too weak or unknown$/i,
    ],
  ])('is rejected %s, as `inspect` would do', async (_, issue, message) => {
    const path = await write(await issue());
    const refused = loadInstallerIdentity(path, 'secret', Date.now());
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(`--identity ${path}: "Developer ID Installer: `);
  });

  test('must not be an identity for programs, which the error names', async () => {
    const path = await write(await authority.issueApplication());
    await expect(loadInstallerIdentity(path, 'secret', Date.now())).rejects.toThrow(
      `--identity ${path}: "Developer ID Application: Gatehouse Test (GATEHOUSE1)" cannot sign ` +
        'packages: expected a Developer ID Installer certificate (purpose 1.2.840.113635.100.4.13)',
    );
  });

  test('names its option if the file cannot be used', async () => {
    const path = await write(await authority.issueInstaller());
    await expect(loadInstallerIdentity(path, 'wrong', Date.now())).rejects.toThrow(
      `--identity ${path}: the password is wrong`,
    );
  });
});
