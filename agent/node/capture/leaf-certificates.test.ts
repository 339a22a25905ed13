import { expect, test } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { createLeafCertificates } from './leaf-certificates.ts';

test('a key that could not be generated is generated for the next connection', async () => {
  let attempts = 0;
  const authority = await createRoot({ name: 'Device', now: Date.now() });
  const leaves = createLeafCertificates(authority, {
    generateKeys: () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('no memory')) : generateKeyPair();
    },
  });
  await expect(leaves.contextFor('a.example')).rejects.toThrow('no memory');
  expect(await leaves.contextFor('a.example')).toBeDefined();
  const first = await leaves.contextFor('b.example');
  expect(await leaves.contextFor('b.example')).toBe(first);
  expect(attempts).toBe(2);
});
