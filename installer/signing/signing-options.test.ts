// @module-tag openssl

import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { InstallerError } from '../installer-error.ts';
import { createTestAuthority } from '../testing/authority.ts';
import { createWorkshop, type Workshop } from '../testing/workshop.ts';
import { readSigningOptions, type SigningValues } from './signing-options.ts';

const VARIABLE = 'SIGNING_TEST_PASSWORD';
const checksum = createHash('sha1').update('a table of contents').digest();

let workshop: Workshop;
let identity: string;
let notaryKey: string;
beforeAll(async () => {
  workshop = await createWorkshop();
  const authority = await createTestAuthority();
  const own = await authority.issueInstaller();
  const certificates = [own, authority.authority, authority.root].map((one) => one.certificate);
  identity = await workshop.writePkcs12('id.p12', {
    key: own.key,
    certificates,
    password: 'right',
  });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  notaryKey = await workshop.write(
    'AuthKey.p8',
    privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );
});
afterAll(() => workshop[Symbol.asyncDispose]());
afterEach(() => vi.unstubAllEnvs());

/** Parses options, with the password in its variable. */
function read(values: SigningValues, password = 'right') {
  vi.stubEnv(VARIABLE, password);
  return readSigningOptions(values);
}
const signed = (more: SigningValues = {}): SigningValues => ({
  identity,
  'identity-password-env': VARIABLE,
  ...more,
});
const notarized = (more: SigningValues = {}): SigningValues =>
  signed({
    'notary-key': notaryKey,
    'notary-key-id': 'ABCDE12345',
    'notary-issuer': '00000000-0000-0000-0000-000000000000',
    ...more,
  });

describe('the signing options', () => {
  test('may all be omitted', async () => {
    expect(await read({ out: 'some.pkg' })).toEqual({});
  });

  test('yield a signer, with or without notarization', async () => {
    const plain = await read(signed({ 'timestamp-url': 'none' }));
    expect(plain.notarize).toBeUndefined();
    expect(plain.signer?.cmsSize).toBe(9216);
    expect(plain.signer?.signRsa(checksum)).toHaveLength(256);
    expect((await read(notarized())).notarize).toBeTypeOf('function');
  });

  const together =
    'expected --notary-key, --notary-key-id and --notary-issuer together, found only some';
  test.each<[string, () => SigningValues, string]>([
    [
      'a password without identity',
      () => ({ 'identity-password-env': VARIABLE }),
      '--identity-password-env: requires --identity',
    ],
    [
      'a timestamp without identity',
      () => ({ 'timestamp-url': 'none' }),
      '--timestamp-url: requires --identity',
    ],
    [
      'a notary without identity',
      () => ({ 'notary-key': notaryKey }),
      '--notary-key: requires --identity',
    ],
    [
      'a store without identity',
      () => ({ 's3-url': 'https://a' }),
      '--s3-url: requires --identity',
    ],
    ['no password', () => ({ identity }), '--identity: requires --identity-password-env'],
    [
      'a variable that is not set',
      () => signed({ 'identity-password-env': 'hunter2' }),
      '--identity-password-env: expected the name of a non-empty environment variable',
    ],
    [
      'a timestamp that is no address',
      () => signed({ 'timestamp-url': 'never' }),
      '--timestamp-url: expected an http or https URL, found something else',
    ],
    ['no key id', () => notarized({ 'notary-key-id': undefined }), together],
    ['no issuer', () => notarized({ 'notary-issuer': '' }), together],
    ['no key', () => notarized({ 'notary-key': undefined }), together],
    [
      'an address without key',
      () => signed({ 'ticket-url': 'https://a' }),
      '--ticket-url: requires --notary-key',
    ],
    [
      'another notary',
      () => notarized({ 'notary-url': 'https://a/notary/v1' }),
      '--notary-url: expected an address that ends in /notary/v2',
    ],
    [
      'a store that is no address',
      () => notarized({ 's3-url': 'bucket' }),
      '--s3-url: expected an http or https URL, found something else',
    ],
  ])('are rejected: %s', async (_, values, message) => {
    await expect(read(values())).rejects.toThrow(new InstallerError(message));
  });

  test('are rejected with a wrong password, which no message contains', async () => {
    const error = await read(signed(), 'hunter2').catch((caught: Error) => caught);
    expect(error).toMatchObject({ message: `--identity ${identity}: the password is wrong` });
  });

  test('are rejected with a key of another type, or none', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const [name, content] of [
      ['other.p8', pem],
      ['text.p8', 'nothing'],
    ] as const) {
      const path = await workshop.write(name, content);
      await expect(read(notarized({ 'notary-key': path }))).rejects.toThrow(
        `--notary-key ${path}: expected the .p8 of App Store Connect (PKCS#8, P-256), ` +
          'found something else',
      );
    }
    await expect(read(notarized({ 'notary-key': '/nowhere.p8' }))).rejects.toThrow(
      '--notary-key /nowhere.p8: cannot be read (ENOENT)',
    );
  });
});
