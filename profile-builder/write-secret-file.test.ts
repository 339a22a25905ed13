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

test('is readable by its owner only, whatever the previous permissions', async () => {
  writeFileSync(path, 'before');
  chmodSync(path, 0o644);
  await writeSecretFile(path, 'after');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['after', 0o600]);
  expect(readdirSync(folder)).toEqual(['secret']);
});

test('a failed write changes nothing and leaves no temporary file', async () => {
  writeFileSync(path, 'before');
  // The call simulates an untyped program.
  await expect(writeSecretFile(path, 7 as never)).rejects.toThrow(/must be of type/);
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['secret']);
});
