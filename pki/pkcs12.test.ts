// @module-tag openssl

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority, type TestAuthority } from '#installer/testing/authority.ts';
import type { TestCertificate } from '#installer/testing/certificates.ts';
import { createWorkshop, type Pkcs12Order, type Workshop } from '#installer/testing/workshop.ts';
import { orderChain } from './identity-chain.ts';
import { loadIdentity, readIdentity } from './pkcs12.ts';

const DAY = 86_400_000;
const now = Date.now();

let workshop: Workshop;
let authority: TestAuthority;
let own: TestCertificate;
beforeAll(async () => {
  workshop = await createWorkshop();
  authority = await createTestAuthority();
  own = await authority.issueInstaller();
});
afterAll(() => workshop[Symbol.asyncDispose]());

const chain = () => [own, authority.authority, authority.root].map((item) => item.certificate);

/** Writes an identity to a file, complete unless a part is overridden. */
function write(changes: Partial<Pkcs12Order> = {}): Promise<string> {
  const order = { key: own.key, certificates: chain(), password: 'secret', ...changes };
  return workshop.writePkcs12('identity.p12', order);
}

describe('a PKCS#12 file', () => {
  test.each([true, false])('yields key and chain, byte for byte (legacy: %s)', async (legacy) => {
    const path = await write({ legacy });
    const identity = await loadIdentity(path, 'secret', now);
    expect(identity.key.equals(own.key)).toBe(true);
    expect(identity.chain.map(({ raw }) => raw)).toEqual(chain().map(({ raw }) => raw));
  });

  test.each([true, false])('opens with a non-ASCII password (legacy: %s)', async (legacy) => {
    const path = await write({ legacy, password: 'Schlüssel €' });
    const identity = await loadIdentity(path, 'Schlüssel €', now);
    expect(identity.chain).toHaveLength(3);
  });

  test('yields the chain from leaf to root, regardless of its order, without unrelated certificates', async () => {
    const other = await authority.issueApplication();
    const [leaf, issuer, root] = chain();
    const certificates = [root!, other.certificate, leaf!, issuer!];
    const identity = await loadIdentity(await write({ certificates }), 'secret', now);
    expect(identity.chain.map(({ raw }) => raw)).toEqual(chain().map(({ raw }) => raw));
  });

  test('yields the certificate with the latest expiry if the key was certified again', async () => {
    const renewed = await authority.issueInstaller({ key: own.key, notAfter: now + 30 * DAY });
    const certificates = [...chain(), renewed.certificate];
    const identity = await loadIdentity(await write({ certificates }), 'secret', now);
    expect(identity.chain[0].serialNumber).toBe(renewed.certificate.serialNumber);
    expect(createPublicKey(identity.key).equals(renewed.certificate.publicKey)).toBe(true);
  });
});

describe('unusable files are rejected in one line', () => {
  const refusal = (path: string, password = 'secret', time = now) =>
    loadIdentity(path, password, time).then(
      () => 'nothing was refused',
      (error: Error) => `${error.name} ${error.message}`,
    );

  test.each([true, false])('a wrong password (legacy: %s)', async (legacy) => {
    const path = await write({ legacy });
    expect(await refusal(path, 'another')).toBe(`IdentityError ${path}: the password is wrong`);
  });

  test('other file types, a truncated file, a missing one', async () => {
    const text = await workshop.write('text.p12', 'not a key');
    const other = 'expected a PKCS#12 file (.p12), found something else';
    expect(await refusal(text)).toBe(`IdentityError ${text}: ${other}`);
    const path = await write();
    const cut = await workshop.write('cut.p12', (await workshop.read('identity.p12')).subarray(1));
    expect(await refusal(cut)).toBe(`IdentityError ${cut}: ${other}`);
    expect(() => readIdentity(Buffer.alloc(2_000_000), 'x', now)).toThrow(other);
    expect(await refusal(`${path}.none`)).toMatch(/none: cannot be read \(ENOENT\)$/);
  });

  test('no key', async () => {
    const path = await write({ key: undefined });
    expect(await refusal(path)).toMatch(/: contains no private key: export the certificate with/);
  });

  test('a key of another certificate', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const identity = await loadIdentity(await write(), 'secret', now);
    expect(() => orderChain(privateKey, identity.chain)).toThrow(
      'the private key does not match the certificate "Developer ID Installer: Gatehouse Test',
    );
    expect(() => orderChain(privateKey, [])).toThrow('contains a private key but no certificate');
  });

  test('an own or issuer certificate that has expired or is not valid yet', async () => {
    const path = await write();
    expect(await refusal(path, 'secret', now + 11 * DAY)).toMatch(
      /: the certificate "Developer ID Installer: .+" expired on \d{4}-.+Z$/,
    );
    expect(await refusal(path, 'secret', now - 2 * DAY)).toMatch(/ is valid only from \d{4}-.+Z$/);
    const short = await createTestAuthority({ notAfter: now + DAY });
    const leaf = await short.issueInstaller();
    const certificates = [leaf, short.authority, short.root].map((item) => item.certificate);
    const shortPath = await write({ key: leaf.key, certificates });
    expect(await refusal(shortPath, 'secret', now + 2 * DAY)).toMatch(
      /"Developer ID Certification Authority" expired on/,
    );
  });

  test('a chain without the issuer, without the root, or with an issuer of the same name but another key', async () => {
    const [leaf, issuer, root] = chain();
    const missing = (name: string) =>
      new RegExp(`: the chain is incomplete: "${name}", the issuer`);
    const alone = await write({ certificates: [leaf!] });
    expect(await refusal(alone)).toMatch(missing('Developer ID Certification Authority'));
    const rootless = await write({ certificates: [leaf!, issuer!] });
    expect(await refusal(rootless)).toMatch(missing('Test Root CA'));
    const others = await createTestAuthority();
    const swapped = await write({
      certificates: [leaf!, others.authority.certificate, root!],
    });
    expect(await refusal(swapped)).toMatch(missing('Developer ID Certification Authority'));
  });

  test('an EC key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const leaf = await authority.issueInstaller({ key: privateKey });
    const certificates = [leaf.certificate, ...chain().slice(1)];
    const path = await write({ key: privateKey, certificates });
    expect(await refusal(path)).toMatch(
      /: expected an RSA key, as Apple's signing identities have, found EC$/,
    );
  });
});
