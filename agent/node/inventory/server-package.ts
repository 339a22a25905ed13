import type { LocalModelServer } from '#domain/app-catalog/entry.ts';
import { expand } from './expand.ts';
import { readJsonManifest, textIn } from './manifest.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** The package that provides a server's script: by `node_modules` or `dist-info`. */
export async function packageOfServer(
  scan: Scan,
  script: string,
  { packages = [] }: LocalModelServer,
): Promise<{ text: string; version: string | undefined } | undefined> {
  if (packages.length === 0 || !script.startsWith('/')) return undefined;
  const target = (await scan.tree.resolve(script)) ?? script;
  return (
    (await npmPackage(scan, target, packages)) ??
    (await pythonPackage(scan, [target, script], packages))
  );
}

async function npmPackage(scan: Scan, script: string, packages: readonly string[]) {
  for (const name of packages) {
    const part = `/node_modules/${name}/`;
    const at = script.lastIndexOf(part);
    if (at < 0) continue;
    const manifest = await readJsonManifest(
      scan.tree,
      `${script.slice(0, at + part.length)}package.json`,
    );
    const version = manifest && textIn(manifest, 'version');
    return { text: `of the npm package ${name}`, version };
  }
  return undefined;
}

/** Folder names of distributions: runs of `-`, `_` and `.` become one underscore. */
const folderName = (name: string) => name.replaceAll(/[-_.]+/g, '_');

async function pythonPackage(scan: Scan, scripts: readonly string[], packages: readonly string[]) {
  for (const prefix of new Set(scripts.map((script) => parentOf(parentOf(script)))))
    for (const name of packages.filter((one) => !one.startsWith('@'))) {
      const pattern = `${prefix}/lib/python*/*-packages/${folderName(name)}-*.dist-info`;
      const [dir] = await expand(scan.tree, pattern);
      if (dir === undefined) continue;
      const version = /-(\d[^-/]*)\.dist-info$/.exec(dir)?.[1];
      return { text: `of the Python package ${name}`, version };
    }

  return undefined;
}
