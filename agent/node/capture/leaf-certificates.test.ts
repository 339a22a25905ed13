import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#lib/time-units.ts';
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

test.each([
  ['kept', 'a small correction of the clock', -HOUR_MS / 4],
  ['kept', 'four days', 4 * DAY_MS],
  ['replaced', 'the clock is set back to before it is valid', -2 * HOUR_MS],
  ['replaced', 'the clock is set back by a year', -365 * DAY_MS],
  ['replaced', 'five days', 5 * DAY_MS],
])('a certificate is %s after %s', async (outcome, _, changeMs) => {
  let now = Date.now();
  const authority = await createRoot({ name: 'Device', now: now - 2 * 365 * DAY_MS });
  const leaves = createLeafCertificates(authority, { now: () => now });
  const first = await leaves.contextFor('a.example');
  now += changeMs;
  const next = await leaves.contextFor('a.example');
  expect(next === first ? 'kept' : 'replaced').toBe(outcome);
});
