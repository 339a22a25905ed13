import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGoModules } from './go-build-info.ts';
import { makeRoot } from './testing/fixtures.ts';
import { goBytes } from './testing/go-program.ts';

async function modulesOf(bytes: Buffer) {
  await using root = await makeRoot({ '/program': bytes });
  return readGoModules(join(root.dir, 'program'));
}

const parts = { path: 'github.com/acme/tool/cmd/tool', dependencies: ['github.com/acme/lib/v2'] };

test.each(['linux', 'darwin'] as const)(
  'the modules of a program for %s are read',
  async (system) => {
    expect(await modulesOf(goBytes(parts, system))).toEqual({ ...parts, version: '1.2.0' });
  },
);

test.each<[string, Buffer]>([
  ['an empty file', Buffer.alloc(0)],
  ['a script', Buffer.from('#!/bin/sh\nexit 1\n'.repeat(20))],
  [
    'a program without sections',
    Buffer.concat([Buffer.from('7f454c4602', 'hex'), Buffer.alloc(80)]),
  ],
  ['a program that ends early', goBytes(parts).subarray(0, 200)],
  ['a program for macOS that ends early', goBytes(parts, 'darwin').subarray(0, 100)],
  [
    'a program for macOS without commands',
    Buffer.concat([Buffer.from('cffaedfe', 'hex'), Buffer.alloc(80, 1)]),
  ],
])('%s has no modules', async (_, bytes) => {
  expect(await modulesOf(bytes)).toBeUndefined();
});
