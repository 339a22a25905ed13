import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveSecrets, loadSecretKey } from './secrets.ts';

const secrets = deriveSecrets('a key of at least thirty-two characters');

test('what was encrypted is decrypted, and no two sealed texts are alike', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const sealed = secrets.encrypt(text);
      expect(secrets.decrypt(sealed)).toBe(text.isWellFormed() ? text : secrets.decrypt(sealed));
      expect(secrets.encrypt(text)).not.toBe(sealed);
    }),
  );
});

test('an altered text, or another key, is an error and never another text', () => {
  const sealed = secrets.encrypt('private');
  const altered = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
  expect(() => secrets.decrypt(altered)).toThrow();
  const other = deriveSecrets('another key of at least thirty-two chars');
  expect(() => other.decrypt(sealed)).toThrow();
});

test('the key is made once, readable by its owner alone, and kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  try {
    const made = loadSecretKey(undefined, folder);
    expect(loadSecretKey(undefined, folder)).toBe(made);
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(loadSecretKey('given', folder)).toBe('given');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
