import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../../../sdk/python/pyproject.toml');

/** The oldest version of Python that the SDK supports, such as `3.9`. */
export const oldestPythonVersion = versionIn(readFileSync(project, 'utf8'));

function versionIn(text: string): string {
  const version = /^requires-python = ">=(\d+\.\d+)"$/m.exec(text)?.[1];
  if (version === undefined) throw new Error(`${project}: no requires-python = ">=X.Y"`);
  return version;
}

const IDENTIFY = 'import sys; print("%d.%d" % sys.version_info[:2], sys.executable)';

/** The path of an interpreter of that version: CPython, also one of pyenv, or PyPy. */
export function findOldestPython(): string | undefined {
  const env = { ...process.env, PYENV_VERSION: oldestPythonVersion };
  for (const program of [`python${oldestPythonVersion}`, 'pypy3']) {
    const { stdout } = spawnSync(program, ['-c', IDENTIFY], { env, encoding: 'utf8' });
    const [version, path] = stdout?.trim().split(' ') ?? [];
    if (version === oldestPythonVersion) return path;
  }
  return undefined;
}
