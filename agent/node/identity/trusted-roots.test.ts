import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { readTrustedRoots } from './trusted-roots.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'roots-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a file that may be missing is read as soon as it exists', async () => {
  const file = join(folder, 'roots.pem');
  const { certificatePem } = await createRoot({ name: 'Tenant', now: Date.now() });
  const before = readTrustedRoots(`-${file}`);
  expect(before).toEqual(readTrustedRoots(null));
  writeFileSync(file, certificatePem);
  expect(readTrustedRoots(`-${file}`)).toEqual({
    roots: [
      ...('roots' in before ? before.roots : []),
      new X509Certificate(certificatePem).toString(),
    ],
  });
});

test('a file that is missing or has no certificate is named in the error', () => {
  const file = join(folder, 'roots.pem');
  expect(readTrustedRoots(file)).toEqual({ error: `${file}: cannot be read: ENOENT` });
  writeFileSync(file, '');
  expect(readTrustedRoots(`-${file}`)).toEqual({ error: `${file}: holds no PEM certificate` });
});
