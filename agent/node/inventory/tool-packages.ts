import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import type { Signal } from '#agent/core/recognition/signals.ts';
import type { CommandLineTool } from '#domain/app-catalog/entry.ts';
import { CONFIG_LIMIT, parseConfig } from './config-file.ts';
import { expand } from './expand.ts';
import { readJsonManifest, readPythonMetadata, textIn } from './manifest.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import type { OriginFinder, Program } from './program-origin.ts';
import { normalizedDistribution } from '#agent/core/recognition/app-of-script.ts';

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** Folders that may contain a program's npm package. */
async function moduleDirs(scan: Scan, name: string, { path, target, home }: Program) {
  const part = `/node_modules/${name}/`;
  const at = target.indexOf(part);
  if (at >= 0) return [target.slice(0, at + part.length - 1)];
  const native = nativeWrapper(target, name);
  const global = home
    ? await Promise.all(
        scan.platformPaths.homeModuleDirs.map((dir) =>
          expand(scan.tree, `${home.dir}/${dir}/${name}`),
        ),
      )
    : [];
  const prefix = parentOf(parentOf(path));
  // pnpm starts the programs of a project by scripts instead of links.
  const local = path.includes('/node_modules/.bin/') ? [`${prefix}/${name}`] : [];
  return [...native, ...local, `${prefix}/lib/node_modules/${name}`, ...global.flat()];
}

/**
 * Returns the package of a native binary: `x/node_modules/@a/b-linux-x64/bin/b` belongs to the
 * package that depends on it.
 */
function nativeWrapper(target: string, name: string): string[] {
  const at = target.lastIndexOf(`/node_modules/${name}-`);
  return at < 0 ? [] : [`${target.slice(0, at)}/node_modules/${name}`];
}

export const fromNpm: OriginFinder = async (scan, entry, program) => {
  for (const name of entry.npm ?? [])
    for (const dir of await moduleDirs(scan, name, program)) {
      const manifest = await readJsonManifest(scan.tree, `${dir}/package.json`);
      if (!manifest || textIn(manifest, 'name') !== name) continue;
      const signal: Signal = { kind: 'manifest', text: `npm package ${name} in ${dir}` };
      return [{ signal, version: textIn(manifest, 'version') }];
    }

  return [];
};

/**
 * Metadata of pip and Debian next to a package: `x-1.0.dist-info/METADATA`,
 * `x-1.0.egg-info/PKG-INFO`.
 */
const metadataFiles = { 'dist-info': 'METADATA', 'egg-info': 'PKG-INFO' };

async function metadataIn(scan: Scan, prefix: string, wanted: ReadonlySet<string>) {
  for (const [kind, file] of Object.entries(metadataFiles)) {
    const dirs = await expand(scan.tree, `${prefix}/lib/python*/*-packages/*.${kind}`);
    for (const dir of dirs) {
      const title = /([^/]+?)-\d[^/]*\.\w+-info$/.exec(dir)?.[1] ?? '';
      if (!wanted.has(normalizedDistribution(title))) continue;
      const metadata = await readPythonMetadata(scan.tree, `${dir}/${file}`);
      const name = metadata && textIn(metadata, 'name');
      if (name && wanted.has(normalizedDistribution(name))) return { dir, name, metadata };
    }
  }
  return undefined;
}

export const fromPython: OriginFinder = async (scan, entry: CommandLineTool, { path, target }) => {
  const wanted = new Set((entry.pypi ?? []).map(normalizedDistribution));
  if (wanted.size === 0) return [];
  for (const prefix of new Set([parentOf(parentOf(target)), parentOf(parentOf(path))])) {
    const found = await metadataIn(scan, prefix, wanted);
    if (!found) continue;
    const text = `Python package ${found.name} in ${found.dir}`;
    const version = textIn(found.metadata, 'version');
    return [{ signal: { kind: 'manifest', text }, version }];
  }
  return [];
};

/** `.crates.toml` has one line per crate, with its programs. */
export const fromCargo: OriginFinder = async (scan, entry, { path, home }) => {
  if (!home || !entry.cargo || !path.startsWith(`${home.dir}/.cargo/bin/`)) return [];
  const content = await scan.tree.read(`${home.dir}/.cargo/.crates.toml`, CONFIG_LIMIT);
  const parsed =
    content && 'bytes' in content ? await parseConfig(content.bytes, 'toml') : undefined;
  const crates = parsed && 'document' in parsed ? valueAt(parsed.document, ['v1']) : undefined;
  const file = path.slice(path.lastIndexOf('/') + 1);
  return Object.entries(isObject(crates) ? crates : {}).flatMap(([crate, programs]) => {
    const [name = '', version] = crate.split(' ');
    return entry.cargo?.includes(name) && Array.isArray(programs) && programs.includes(file)
      ? [{ signal: { kind: 'registration', text: `crate ${name}` } as const, version }]
      : [];
  });
};
