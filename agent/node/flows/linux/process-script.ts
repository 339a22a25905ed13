import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { distributionMatcher, isToolName } from '#agent/core/recognition/app-of-script.ts';
import { interpreterOf, isPython, readScript } from '#agent/core/recognition/launch-script.ts';
import { tryOrUndefined } from '../../try-or-undefined.ts';

/** The part of a command line that is read; it may contain megabytes of a user's prompt. */
const MAX_COMMAND_LINE_BYTES = 4096;

/**
 * The origin of an interpreter's script, in the form that `appOfProcess` takes. Nothing else of the
 * command line is kept, because it may contain anything.
 */
export function scriptOf(pid: number, executable: string, proc = '/proc'): string | null {
  const program = basename(executable);
  if (!interpreterOf(program)) return null;
  const [command = '', ...args] = argumentsOf(pid, proc);
  if (args.length === 0) return scriptOfTitle(command, executable);
  const script = readScript(program, args);
  if (!script) return null;
  if ('package' in script) return `npm:${script.package}`;
  const folder = tryOrUndefined(() => readlinkSync(`${proc}/${pid}/cwd`));
  if ('module' in script) {
    const prefixes = [prefixOf(command), prefixOf(executable), userPrefix(pid, proc)];
    return moduleOrigin(script.module, folder, prefixes);
  }
  if (folder === undefined && !script.file.startsWith('/')) return null;
  const path = resolve(folder ?? '/', script.file);
  const real = realPath(path) ?? path;
  if (!isPython(program)) return real;
  return distributionOf(basename(path), [prefixOf(real), prefixOf(path)]) ?? real;
}

function argumentsOf(pid: number, proc: string): string[] {
  const bytes = new Uint8Array(MAX_COMMAND_LINE_BYTES);
  const length = tryOrUndefined(() => {
    const file = openSync(`${proc}/${pid}/cmdline`, 'r');
    try {
      return readSync(file, bytes);
    } finally {
      closeSync(file);
    }
  });
  const text = Buffer.from(bytes.buffer, 0, length ?? 0).toString('utf8');
  return text.replace(/\0+$/, '').split('\0');
}

/**
 * A Node program that sets `process.title` overwrites its command line. If the title starts with
 * the name of a tool, the tool's launcher link is in one of the usual program folders.
 */
function scriptOfTitle(title: string, executable: string): string | null {
  const name = title.split(' ', 1)[0] ?? '';
  if (!isToolName(name)) return null;
  for (const folder of new Set([dirname(executable), '/usr/local/bin', '/usr/bin'])) {
    const real = realPath(join(folder, name));
    if (real?.includes('/node_modules/')) return real;
  }
  return null;
}

/** Python prefers modules in the current folder, so a module there is a different one. */
function moduleOrigin(
  module: string,
  folder: string | undefined,
  prefixes: readonly (string | undefined)[],
): string | null {
  const [start = ''] = module.split('.', 1);
  if (folder === undefined || existsSync(join(folder, start))) return null;
  return existsSync(join(folder, `${start}.py`)) ? null : distributionOf(start, prefixes);
}

/** The folder of the distribution that provides a program or module, below one of the prefixes. */
function distributionOf(start: string, prefixes: readonly (string | undefined)[]): string | null {
  const isMatchingDistribution = distributionMatcher(start);
  if (!isMatchingDistribution) return null;
  for (const prefix of new Set(prefixes))
    for (const folder of prefix === undefined ? [] : packageFolders(prefix)) {
      const found = listFolder(folder).find(isMatchingDistribution);
      if (found !== undefined) return join(folder, found);
    }

  return null;
}

const packageFolders = (prefix: string): string[] =>
  ['lib', 'lib64', 'local/lib']
    .flatMap((lib) => listFolder(join(prefix, lib)).map((name) => join(prefix, lib, name)))
    .filter((folder) => /^(python|pypy)3[\d.]*t?$/.test(basename(folder)))
    .flatMap((folder) => ['site-packages', 'dist-packages'].map((name) => join(folder, name)));

/** Returns `/opt/x` for `/opt/x/bin/python`; undefined for a program found in PATH. */
const prefixOf = (program: string): string | undefined =>
  program.startsWith('/') ? dirname(dirname(program)) : undefined;

/** Returns the folder in which `pip install --user` installs packages. */
function userPrefix(pid: number, proc: string): string | undefined {
  const uid = tryOrUndefined(() => statSync(`${proc}/${pid}`).uid);
  const lines = tryOrUndefined(() => readFileSync('/etc/passwd', 'utf8'))?.split('\n') ?? [];
  const home = lines
    .map((line) => line.split(':'))
    .find((fields) => fields[2] === String(uid))?.[5];
  return home ? join(home, '.local') : undefined;
}

const listFolder = (folder: string): string[] => tryOrUndefined(() => readdirSync(folder)) ?? [];
const realPath = (path: string): string | undefined =>
  tryOrUndefined(() => realpathSync.native(path));
