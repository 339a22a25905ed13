// @module-tag swtpm
// @module-tag tpm2_unseal

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { generateKeyPair } from '#pki/keys.ts';
import { openKeyFiles } from './key-files.ts';
import { readIdentityKey } from './read-identity-key.ts';
import { type SoftwareTpm, startSoftwareTpm } from './testing/software-tpm.ts';
import { createTpmSealer } from './tpm-sealer.ts';

let tpm: SoftwareTpm;
beforeAll(async () => {
  tpm = await startSoftwareTpm();
});
afterAll(() => tpm.stop());

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'killed-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const program = join(import.meta.dirname, 'testing/bind-keys.ts');

/** Returns the exit code or the signal. */
async function bindKeys(lastStep: number): Promise<unknown> {
  const args = [program, dir, tpm.tcti, String(lastStep)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? code;
}

// Three files are replaced: the sealed key, and both private keys.
test.each([0, 1, 2, 3, 4, 5])('an agent that is killed at step %i keeps its keys', async (step) => {
  const { privateKeyPem } = await generateKeyPair();
  const plain = openKeyFiles(dir);
  plain.write('identity', privateKeyPem);
  plain.write('intermediate', privateKeyPem);
  expect(await bindKeys(step)).toBe('SIGKILL');
  expect(await readIdentityKey(dir, createTpmSealer(tpm.tcti))).toBe(privateKeyPem);
  expect(await bindKeys(Infinity)).toBe(0);
  expect(await readIdentityKey(dir, createTpmSealer(tpm.tcti))).toBe(privateKeyPem);
  const texts = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  expect(texts.filter((text) => text.includes('BEGIN PRIVATE KEY'))).toEqual([]);
});
