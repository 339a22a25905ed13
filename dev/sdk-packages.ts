import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageNames } from '#control-plane/sdk-packages/names.ts';

const root = join(import.meta.dirname, '..');
const packages = join(root, 'control-plane/sdk-packages/dist');

/** What the packages are made of: `control-plane/sdk-packages/build.ts`. */
const sources = [
  'contract/**/*.ts',
  'control-plane/sdk-packages/*.ts',
  'sdk/*.{json,md,ts}',
  'sdk/src/**/*.ts',
  'sdk/python/{pyproject.toml,README.md}',
  'sdk/python/src/**/*.{py,typed}',
];

/**
 * Builds the packages of the SDKs, which the control plane serves, if they are missing or older
 * than their sources. That takes some seconds, and a check some milliseconds.
 */
export async function buildSdkPackages(
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!areOlder(Object.values(packageNames))) return;
  print('building');
  const program = join(root, 'control-plane/sdk-packages/build.ts');
  await promisify(execFile)(process.execPath, [program], { signal });
}

function areOlder(names: readonly string[]): boolean {
  const built = Math.min(...names.map((name) => changedAt(join(packages, name)) ?? 0));
  return globSync(sources, { cwd: root }).some(
    (source) => (changedAt(join(root, source)) ?? 0) > built,
  );
}

const changedAt = (path: string): number | undefined =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs;
