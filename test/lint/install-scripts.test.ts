import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const read = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;

test('every dependency with an install script has an entry in allowScripts', () => {
  const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>('package.json');
  const { packages } = read<{ packages: Record<string, { hasInstallScript?: true }> }>(
    'package-lock.json',
  );
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  // npm takes the file binding.gyp for an install script, and the lockfile does not record it.
  const known = new Set([...withScript, 'better-sqlite3']);
  expect([...known].filter((name) => !(name in allowScripts))).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !known.has(name))).toEqual([]);
  expect(allowScripts['better-sqlite3']).toBe(false);
});
