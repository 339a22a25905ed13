import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const MAX_LINES = 400;

const sources = globSync('**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|data|\.git)$/.test(path),
}).map((path) => path.replaceAll('\\', '/'));

const linesOf = (path: string): number =>
  readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;

test(`no file is longer than ${MAX_LINES} lines`, () => {
  expect(sources.length).toBeGreaterThan(2500);
  const found = sources.filter((path) => linesOf(path) > MAX_LINES);
  expect(found).toEqual([]);
});
