import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deriveSecrets, makeSecretKey, readSecretKey } from './derived-keys.ts';

const secrets = deriveSecrets('a key of at least thirty-two characters');

test('encryption round-trips, and no two ciphertexts are equal', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const sealed = secrets.encrypt(text);
      expect(secrets.decrypt(sealed)).toBe(text.isWellFormed() ? text : secrets.decrypt(sealed));
      expect(secrets.encrypt(text)).not.toBe(sealed);
    }),
  );
});

test('decrypting altered text, or with another key, is an error and never returns another plaintext', () => {
  const sealed = secrets.encrypt('private');
  const altered = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
  expect(() => secrets.decrypt(altered)).toThrow();
  const other = deriveSecrets('another key of at least thirty-two chars');
  expect(() => other.decrypt(sealed)).toThrow();
});

describe('the key in the data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('is created once, readable by its owner only, and reused', () => {
    expect(readSecretKey(undefined, folder)).toBeUndefined();
    const created = makeSecretKey(folder);
    expect(created.length).toBeGreaterThanOrEqual(32);
    expect(readSecretKey(undefined, folder)).toBe(created);
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret.key']);
    expect(readSecretKey('given', folder)).toBe('given');
  });

  test.each(['', ' \n', 'cut short'])(
    'is rejected with the name of its file if it is %j',
    (text) => {
      const file = join(folder, 'secret.key');
      writeFileSync(file, text);
      expect(() => readSecretKey(undefined, folder)).toThrow(
        `${file} holds ${text.trim().length} `,
      );
    },
  );

  test('is the same, and complete, for processes that start together', async () => {
    const program = `
      const { makeSecretKey } = await import(${JSON.stringify(join(import.meta.dirname, 'derived-keys.ts'))});
      process.stdout.write(makeSecretKey(${JSON.stringify(folder)}));`;
    const runs = Array.from({ length: 6 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
    );
    const keys = new Set((await Promise.all(runs)).map(({ stdout }) => stdout));
    expect([...keys]).toEqual([readSecretKey(undefined, folder)]);
  });
});
