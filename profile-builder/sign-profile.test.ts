// @module-tag openssl

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadIdentity } from '#pki/pkcs12.ts';
import { ProfileError } from './profile-error.ts';
import { signProfile } from './sign-profile.ts';
import { makeSigningIdentity } from './testing/signing-identity.ts';

const TEXT = '<?xml version="1.0" encoding="UTF-8"?>\n<plist>\r\nÜ</plist>\n';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sign-profile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function sign(name: string, extensions: string) {
  const identity = makeSigningIdentity(folder, { name, extensions });
  const now = Date.now();
  const loaded = await loadIdentity(identity.file, identity.password, now);
  return { identity, signed: await signProfile(TEXT, loaded, now) };
}

const openssl = (command: string): string =>
  execFileSync('openssl', command.split(' '), { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

describe('signProfile', () => {
  test.each([
    ['signer', 'keyUsage=critical,digitalSignature'],
    // Certificates that public authorities issue for web servers also sign profiles.
    ['server', 'keyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=serverAuth'],
    ['plain', 'basicConstraints=CA:FALSE'],
  ])('is verified by OpenSSL, with a certificate for %s', async (name, extensions) => {
    const { identity, signed } = await sign(name, extensions);
    await writeFile(join(folder, 'signed'), signed);
    openssl(
      `cms -verify -binary -inform DER -in signed -CAfile ${identity.authority} -purpose any ` +
        '-out content -certsout certificates',
    );
    expect(await readFile(join(folder, 'content'), 'utf8')).toBe(TEXT);
    expect(openssl('storeutl -noout -certs certificates')).toContain('Total found: 2');
    expect(openssl('cms -cmsout -print -inform DER -in signed')).toMatch(/algorithm: sha256/);
  });

  test('fails verification after any byte was changed', async () => {
    const { identity, signed } = await sign('altered', 'keyUsage=digitalSignature');
    const altered = Buffer.from(signed);
    altered.writeUInt8(0x21, altered.indexOf('plist'));
    await writeFile(join(folder, 'altered'), altered);
    const verify = `cms -verify -binary -inform DER -in altered -CAfile ${identity.authority}`;
    expect(() => openssl(`${verify} -purpose any -out content`)).toThrow(/digest|verif/i);
  });

  test.each([
    ['encrypts', 'keyUsage=keyEncipherment', 'a key usage without digital signature'],
    ['issues', 'basicConstraints=CA:TRUE', 'a certificate authority'],
  ])('rejects a certificate that %s', async (name, extensions, reason) => {
    await expect(sign(name, extensions)).rejects.toThrow(
      new ProfileError(
        `expected a certificate for digital signatures, found "${name}" with ${reason}`,
      ),
    );
  });
});
