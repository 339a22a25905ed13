import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageNames } from './names.ts';
import { makeWheel } from './wheel.ts';

/**
 * Builds the packages that the control plane serves into `dist`, or into the folder in the first
 * argument: the SDK for TypeScript as npm packs it, and that for Python as a wheel.
 */
const sdk = join(import.meta.dirname, '../../sdk');
const target = process.argv[2] ?? join(import.meta.dirname, 'dist');

function packTypeScript(folder: string): void {
  const built = join(folder, 'svc-observe');
  execFileSync(process.execPath, [join(sdk, 'build.ts'), built], { stdio: 'inherit' });
  execFileSync('npm', ['pack', built, '--silent'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function packPython(folder: string): void {
  const python = join(sdk, 'python');
  const sources = join(python, 'src');
  const paths = globSync('**/{*.py,py.typed}', { cwd: sources }).toSorted();
  const wheel = makeWheel({
    pyproject: readFileSync(join(python, 'pyproject.toml'), 'utf8'),
    readme: readFileSync(join(python, 'README.md'), 'utf8'),
    files: new Map(paths.map((path) => [path, readFileSync(join(sources, path))])),
  });
  writeFileSync(join(folder, packageNames.wheel), wheel);
}

/** Replaces a package at once, because a control plane may be sending it. */
function replacePackage(name: string, from: string): void {
  const fresh = join(target, `.${process.pid}-${name}`);
  copyFileSync(join(from, name), fresh);
  renameSync(fresh, join(target, name));
}

/** Removes the packages of other versions. */
function removeOthers(names: readonly string[]): void {
  for (const file of readdirSync(target))
    if (/^svc.*\.(tgz|whl)$/.test(file) && !names.includes(file)) rmSync(join(target, file));
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-'));
try {
  packTypeScript(folder);
  packPython(folder);
  mkdirSync(target, { recursive: true });
  const names = Object.values(packageNames);
  for (const name of names) replacePackage(name, folder);
  removeOthers(names);
} finally {
  rmSync(folder, { recursive: true });
}
