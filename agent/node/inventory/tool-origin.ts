import type { CommandLineTool } from '#agent/core/app-catalog/entry.ts';
import { isObject, valueAt } from '#agent/core/app-catalog/mcp-server.ts';
import type { Signal } from '#agent/core/app-catalog/signals.ts';
import { configLimit, parseConfig } from './config-file.ts';
import { isOfPackage, readDebianPackages } from './debian-packages.ts';
import { expand } from './expand.ts';
import { readJsonManifest, readPythonMetadata, textIn } from './manifest.ts';
import type { Home, Scan } from './places/places.ts';

/** A program in a folder of programs: where it was found, and what it really is. */
export interface Program {
  path: string;
  target: string;
  home: Home | undefined;
}

export interface Origin {
  signal: Signal;
  version: string | undefined;
}

type Finder = (scan: Scan, entry: CommandLineTool, program: Program) => Promise<Origin[]>;

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const after = (path: string, part: string) => {
  const at = path.indexOf(part);
  return at < 0 ? undefined : path.slice(at + part.length).split('/', 1)[0];
};
const versionLike = (text: string | undefined) => (text && /^v?\d/.test(text) ? text : undefined);

/** Folders in which the npm package of a program may lie. */
async function moduleDirs(scan: Scan, name: string, { path, target, home }: Program) {
  const part = `/node_modules/${name}/`;
  const at = target.indexOf(part);
  if (at >= 0) return [target.slice(0, at + part.length - 1)];
  const global = home
    ? await Promise.all(
        scan.places.homeModuleDirs.map((dir) => expand(scan.tree, `${home.dir}/${dir}/${name}`)),
      )
    : [];
  return [`${parentOf(parentOf(path))}/lib/node_modules/${name}`, ...global.flat()];
}

const fromNpm: Finder = async (scan, entry, program) => {
  for (const name of entry.npm ?? []) {
    for (const dir of await moduleDirs(scan, name, program)) {
      const manifest = await readJsonManifest(scan.tree, `${dir}/package.json`);
      if (!manifest || textIn(manifest, 'name') !== name) continue;
      const signal: Signal = { kind: 'manifest', text: `npm package ${name} in ${dir}` };
      return [{ signal, version: textIn(manifest, 'version') }];
    }
  }
  return [];
};

/** Distribution names are compared with runs of `-`, `_` and `.` taken as one. */
const normalized = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

const fromPython: Finder = async (scan, entry, { path, target }) => {
  const wanted = new Set((entry.pypi ?? []).map(normalized));
  if (wanted.size === 0) return [];
  for (const prefix of new Set([parentOf(parentOf(target)), parentOf(parentOf(path))])) {
    for (const dir of await expand(scan.tree, `${prefix}/lib/python3*/*-packages/*.dist-info`)) {
      const title = /([^/]+)-[^-/]+\.dist-info$/.exec(dir)?.[1] ?? '';
      if (!wanted.has(normalized(title))) continue;
      const metadata = await readPythonMetadata(scan.tree, `${dir}/METADATA`);
      const name = metadata && textIn(metadata, 'name');
      if (!name || !wanted.has(normalized(name))) continue;
      const signal: Signal = { kind: 'manifest', text: `Python package ${name} in ${dir}` };
      return [{ signal, version: textIn(metadata, 'version') }];
    }
  }
  return [];
};

const fromBrew: Finder = async (_scan, entry, { target }) =>
  (entry.brew ?? [])
    .flatMap((name) => [`/Cellar/${name}/`, `/Caskroom/${name}/`])
    .filter((part) => target.includes(part))
    .map((part) => ({
      signal: { kind: 'registration', text: `Homebrew keeps it in …${part}` },
      version: after(target, part),
    }));

const fromCargo: Finder = async (scan, entry, { path, home }) => {
  if (!home || !entry.cargo || !path.startsWith(`${home.dir}/.cargo/bin/`)) return [];
  const content = await scan.tree.read(`${home.dir}/.cargo/.crates.toml`, configLimit);
  const parsed = content && 'bytes' in content ? parseConfig(content.bytes, 'toml') : undefined;
  const crates = parsed && 'document' in parsed ? valueAt(parsed.document, ['v1']) : undefined;
  return Object.keys(isObject(crates) ? crates : {}).flatMap((crate) => {
    const [name = '', version] = crate.split(' ');
    return entry.cargo?.includes(name)
      ? [{ signal: { kind: 'registration', text: `crate ${name}` } as const, version }]
      : [];
  });
};

const fromInstaller: Finder = async (_scan, entry, { target, home }) =>
  (entry.installDirs ?? [])
    .map((dir) => (dir.startsWith('~') ? `${home?.dir ?? '~'}${dir.slice(1)}` : dir))
    .filter((dir) => target.startsWith(dir))
    .map((dir) => ({
      signal: { kind: 'location', text: `installed in ${dir}` },
      version: versionLike(after(target, dir)),
    }));

const fromDebian: Finder = async (scan, entry, { path, target, home }) => {
  if (home || !entry.debs) return [];
  const installed = await readDebianPackages(scan.tree);
  for (const name of entry.debs.filter((deb) => installed.has(deb))) {
    const owned = [path, target].map((file) => isOfPackage(scan.tree, name, file));
    if (!(await Promise.all(owned)).includes(true)) continue;
    const signal: Signal = { kind: 'registration', text: `Debian package ${name}` };
    return [{ signal, version: installed.get(name) }];
  }
  return [];
};

const finders = [fromNpm, fromPython, fromBrew, fromCargo, fromInstaller, fromDebian];

/** Everything that confirms where a program comes from. Nothing is ever run. */
export async function originsOf(
  scan: Scan,
  entry: CommandLineTool,
  program: Program,
): Promise<Origin[]> {
  const found = await Promise.all(finders.map((find) => find(scan, entry, program)));
  return found.flat();
}
