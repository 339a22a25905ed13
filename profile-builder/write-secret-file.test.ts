import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSecretFile } from './write-secret-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-'));
  path = join(folder, 'secret');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('only its owner may read it, whoever could read what was there before', async () => {
  writeFileSync(path, 'before');
  chmodSync(path, 0o644);
  await writeSecretFile(path, 'after');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['after', 0o600]);
  expect(readdirSync(folder)).toEqual(['secret']);
});

test('what cannot be written leaves what was there, and nothing beside it', async () => {
  writeFileSync(path, 'before');
  // As a program without types would.
  await expect(writeSecretFile(path, 7 as never)).rejects.toThrow(/must be of type/);
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['secret']);
});
