import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expand } from './expand.ts';
import { makeRoot, type FakeFile } from './testing/fixtures.ts';
import { openTree } from './tree.ts';

test('absolute links start at the root, and no link leads out of it', async () => {
  await using root = await makeRoot({
    '/data/real/file': 'x',
    '/link': { link: '/data/real' },
    '/data/up': { link: '../../../../data/real/file' },
    '/loop/a': { link: 'b' },
    '/loop/b': { link: 'a' },
    '/out': { link: '/etc/passwd' },
  });
  const tree = openTree(root.dir);
  const paths = ['/link/file', '/data/up', '/loop/a', '/out', '/link/.././real/', '/..', '/no'];
  expect(await Promise.all(paths.map(tree.resolve))).toEqual([
    '/data/real/file',
    '/data/real/file',
    undefined,
    undefined,
    '/data/real',
    '/',
    undefined,
  ]);
});

test('relative links are followed like by the system', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const targets = fc.constantFrom('a', 'b', 'c', './d', '../x/a', 'sub/e', '../x/sub', 'sub', '..');
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(targets, targets, targets),
      fc.constantFrom(...names),
      async (links, last) => {
        const files: Record<string, FakeFile> = { '/x/d': 'file', '/x/sub/e': 'file' };
        links.forEach((link, i) => (files[`/x/${names[i]}`] = { link }));
        await using root = await makeRoot(files);
        const base = await realpath(root.dir);
        const system = await realpath(join(base, 'x', last)).catch(() => undefined);
        const ours = await openTree(base).resolve(`/x/${last}`);
        expect(ours).toBe(system && (system.slice(base.length) || '/'));
      },
    ),
    { numRuns: 60 },
  );
});

test('patterns match existing paths, and hidden names only if they are named', async () => {
  await using root = await makeRoot({
    '/v/v24.1.0/bin/x': '',
    '/v/v22.0.0/bin/x': '',
    '/v/.hidden/bin/x': '',
    '/v/file': '',
    '/v/python3.12/site-packages/a-1.dist-info/METADATA': '',
  });
  const tree = openTree(root.dir);
  const patterns = [
    '/v/*/bin',
    '/v/.h*/bin',
    '/v/python3*/*-packages/*.dist-info',
    '/none/*',
    '/v/none',
  ];
  expect(await Promise.all(patterns.map((pattern) => expand(tree, pattern)))).toEqual([
    ['/v/v22.0.0/bin', '/v/v24.1.0/bin'],
    ['/v/.hidden/bin'],
    ['/v/python3.12/site-packages/a-1.dist-info'],
    [],
    [],
  ]);
});
