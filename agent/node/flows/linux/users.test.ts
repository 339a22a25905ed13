import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUserNames } from './users.ts';

test('names the user of this process like id(1)', () => {
  const name = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  expect(createUserNames()(process.getuid?.() ?? -1)).toBe(name);
});

test('reads the file again for an unknown id, once it has changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'users-'));
  const file = join(folder, 'passwd');
  writeFileSync(file, 'ann:x:1001:1001::/home/ann:/bin/sh\nalso-ann:x:1001:1001:::\nbad line\n');
  const nameOf = createUserNames(file);
  const before = [nameOf(1001), nameOf(1002)];
  writeFileSync(file, 'ann:x:1001:1001:::\nbob:x:1002:1002:::\n');
  utimesSync(file, 1, 1);
  expect([before, nameOf(1002)]).toEqual([['ann', null], 'bob']);
  rmSync(folder, { recursive: true });
});

test('finds no names if the file does not exist', () => {
  expect(createUserNames('/does/not/exist')(0)).toBeNull();
});

test('finds no names while the file cannot be read, and tries again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'users-'));
  const file = join(folder, 'passwd');
  mkdirSync(file);
  const nameOf = createUserNames(file);
  const before = nameOf(1001);
  rmSync(file, { recursive: true });
  writeFileSync(file, 'ann:x:1001:1001:::\n');
  expect([before, nameOf(1001)]).toEqual([null, 'ann']);
  rmSync(folder, { recursive: true });
});
