// @module-tag swtpm
// @module-tag tpm2_unseal

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type SoftwareTpm, startSoftwareTpm } from './testing/software-tpm.ts';
import { createTpmSealer } from './tpm-sealer.ts';

let tpm: SoftwareTpm;
let other: SoftwareTpm;
beforeAll(async () => {
  [tpm, other] = await Promise.all([startSoftwareTpm(), startSoftwareTpm()]);
});
afterAll(() => Promise.all([tpm.stop(), other.stop()]));

const secret = randomBytes(32);
const { signal } = new AbortController();
let sealed: string;
beforeEach(async () => {
  const result = await createTpmSealer(tpm.tcti).seal(secret, signal);
  if ('error' in result) throw new Error(result.error);
  ({ sealed } = result);
});

test('the TPM that sealed a secret unseals it', async () => {
  const result = await createTpmSealer(tpm.tcti).unseal(sealed, signal);
  expect(result).toEqual({ kind: 'unsealed', secret });
  expect(Buffer.from(sealed).includes(secret.toString('base64'))).toBe(false);
});

test('another TPM has not sealed it', async () => {
  expect(await createTpmSealer(other.tcti).unseal(sealed, signal)).toEqual({
    kind: 'foreign',
    reason: "this computer's TPM has not sealed it",
  });
});

test('many secrets are sealed and unsealed without using up the TPM', async () => {
  const sealer = createTpmSealer(tpm.tcti);
  for (let i = 0; i < 5; i += 1)
    expect(await sealer.unseal(sealed, signal)).toEqual({ kind: 'unsealed', secret });
});

test('a TPM that does not answer says nothing about the secret', async () => {
  tpm.setBusy(true);
  const result = createTpmSealer(tpm.tcti, 300).unseal(sealed, signal);
  expect(await result).toEqual({ kind: 'unavailable', reason: 'the TPM does not answer' });
  tpm.setBusy(false);
  expect(await createTpmSealer(tpm.tcti).unseal(sealed, signal)).toMatchObject({
    kind: 'unsealed',
  });
});

test('a tool that is stopped says nothing about the secret', async () => {
  tpm.setBusy(true);
  const stopping = new AbortController();
  const before = tpm.commands();
  const result = createTpmSealer(tpm.tcti).unseal(sealed, stopping.signal);
  await expect.poll(tpm.commands).toBeGreaterThan(before);
  stopping.abort();
  expect(await result).toMatchObject({ kind: 'unavailable' });
  tpm.setBusy(false);
});

test('a TPM that cannot be reached says nothing about the secret', async () => {
  const tcti = 'swtpm:host=127.0.0.1,port=1';
  expect(await createTpmSealer(tcti).unseal(sealed, signal)).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringMatching(/^tpm2-tools failed: .*load tcti/) as string,
  });
});

test('no files are left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-files-'));
  vi.stubEnv('TMPDIR', folder);
  await createTpmSealer(tpm.tcti).unseal(sealed, signal);
  await createTpmSealer(other.tcti).unseal(sealed, signal);
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
