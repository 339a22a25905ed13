import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

/**
 * `as unknown as` disables the compiler's checks. The casts listed here cross a boundary that it
 * cannot see.
 */
const allowed: Readonly<Record<string, string>> = {
  'agent/node/socket-descriptor.ts': 'the descriptor of a socket, which Node hides',
  'contract/fields.ts': 'a schema whose output is its input: zod has no type for it',
  'control-plane/otel/behavior.ts': 'messages are JSON; interfaces have no index signature',
  'control-plane/storage/merge-rows.ts': 'rows of any table, column by column',
  'installer/inspect/archive/toc.ts': '`info: true` of zlib, which its types do not know',
};

const isCode = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$|(^|\/)(dist|testing|node_modules)\//.test(path);

const sources = [
  'agent',
  'bench',
  'contract',
  'control-plane',
  'dev',
  'domain',
  'installer',
  'lib',
  'pki',
  'profile-builder',
  'sdk/src',
].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isCode)
    .map((path) => `${folder}/${path}`),
);

test('casts through unknown exist only at known boundaries, one per file', () => {
  expect(sources.length).toBeGreaterThan(1500);
  const found = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bas unknown as\b/g)].map(() => path),
  );
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted());
});
