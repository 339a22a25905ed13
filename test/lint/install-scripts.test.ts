import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

test('every dependency with an install script has an entry in allowScripts', () => {
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { hasInstallScript?: true }>;
  };
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  // npm treats the file binding.gyp as an install script, and the lockfile does not record it.
  const known = new Set([...withScript, 'better-sqlite3']);
  expect([...known].filter((name) => !(name in allowScripts))).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !known.has(name))).toEqual([]);
  expect(allowScripts['better-sqlite3']).toBe(false);
});
