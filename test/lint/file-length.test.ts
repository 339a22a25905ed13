import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const MAX_LINES = 400;

/** Files that are longer, each with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'agent/node/capture/capture.test.ts':
    'one capture with its servers, from the socket to the report',
  'agent/node/capture/interceptor.test.ts': 'one interceptor, in front of every kind of server',
};

const sources = globSync('**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|data|\.git)$/.test(path),
}).map((path) => path.replaceAll('\\', '/'));

const linesOf = (path: string): number =>
  readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;

test(`no file is longer than ${MAX_LINES} lines, except those listed`, () => {
  expect(sources.length).toBeGreaterThan(2500);
  const found = sources.filter((path) => linesOf(path) > MAX_LINES);
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted());
});
