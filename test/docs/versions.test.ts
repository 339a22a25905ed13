import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageNames } from '#control-plane/sdk-packages/names.ts';
import { root } from '../support/processes.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const versionIn = (file: string): string => (JSON.parse(read(file)) as { version: string }).version;

test('the SDKs and the lock file have the version of the product', () => {
  const version = versionIn('package.json');
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(versionIn('sdk/manifest.json')).toBe(version);
  expect(versionIn('package-lock.json')).toBe(version);
  expect(read('sdk/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  expect(read('sdk/python/src/svc_observe/version.py')).toContain(`VERSION = "${version}"`);
  const { npm, wheel } = packageNames;
  for (const name of [npm, wheel]) expect(read('README.md')).toContain(`/sdk/${name}\n`);
  expect(read('sdk/README.md')).toContain(`/sdk/${npm}\n`);
  expect(read('sdk/python/README.md')).toContain(`/sdk/${wheel}\n`);
});

test('the changelog begins with the unreleased changes', () => {
  const [first] = read('CHANGELOG.md').match(/^## .*$/m) ?? [];
  expect(first).toBe('## [Unreleased]');
});
