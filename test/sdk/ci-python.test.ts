import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../support/processes.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';
import { oldestPythonVersion } from './python/oldest-python.ts';

let programs: string;
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'ci-python-'));
});
afterEach(() => rmSync(programs, { recursive: true }));

/** Writes a program that is found before the one of the system. */
const addProgram = (name: string, script: string): void =>
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** Runs `.ci/run` up to `npm ci`, which fails. Returns the packages that it installs. */
function installedPackages(versions: Record<string, string>): string[] {
  const log = join(programs, 'installed.txt');
  writeFileSync(log, '');
  addProgram('apt-get', `echo "$@" >> '${log}'`);
  addProgram('sudo', 'exec "$@"');
  addProgram('npm', '[ "$1" = --version ] && echo 11.16.0');
  for (const [name, version] of Object.entries(versions)) addProgram(name, `echo ${version}`);
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  const { status } = spawnSync('bash', [join(root, '.ci/run')], { env, timeout: PATIENCE_MS });
  expect(status).toBe(1);
  return readFileSync(log, 'utf8').split(/\s+/);
}

const cpython = `python${oldestPythonVersion}`;

test('PyPy is installed unless CPython or PyPy has the oldest version of Python that the SDK supports', () => {
  const [other, oldest] = ['3.11', oldestPythonVersion];
  expect(installedPackages({ [cpython]: other, pypy3: other })).toContain('pypy3');
  expect(installedPackages({ [cpython]: other, pypy3: oldest })).not.toContain('pypy3');
  expect(installedPackages({ [cpython]: oldest, pypy3: other })).not.toContain('pypy3');
});
