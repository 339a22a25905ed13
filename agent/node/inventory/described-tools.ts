import { normalizedDistribution } from '#agent/core/recognition/app-of-script.ts';
import { isObject } from '#agent/core/recognition/mcp-server.ts';
import { commandLineTools } from '#domain/app-catalog/command-line-tools.ts';
import type { CommandLineTool } from '#domain/app-catalog/entry.ts';
import { CONFIG_LIMIT } from './config-file.ts';
import {
  manifestEvidence,
  describedFinding,
  readmeEvidence,
  catalogEvidence,
  type PackageDescription,
} from './described-finding.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { fixedFolder, limited } from './limited.ts';
import { type Manifest, readJsonManifest, readPythonMetadata, textIn } from './manifest.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';
import { proseOf, readmeBeginning } from './readme.ts';

type Registry = 'npm' | 'pypi';

const entriesOf = (registry: Registry): ReadonlyMap<string, CommandLineTool> =>
  new Map(
    commandLineTools.flatMap((entry) => (entry[registry] ?? []).map((name) => [name, entry])),
  );

const known = { npm: entriesOf('npm'), pypi: entriesOf('pypi') };

/** Whether the catalog names the package's programs; it is then found by these. */
const isFoundByProgram = (registry: Registry, name: string) =>
  (known[registry].get(name)?.binaries.length ?? 0) > 0;

/** The limit of one folder of packages: more than any user installs for the terminal. */
const MAX_PACKAGES = 1000;

/**
 * Global npm packages, next to the folder of programs. A project's packages are not its user's
 * tools.
 */
const systemModules = [
  '/usr/local/lib/node_modules',
  '/usr/lib/node_modules',
  '/opt/homebrew/lib/node_modules',
];
const homeModules = [
  '.npm-global/lib/node_modules',
  '.npm-packages/lib/node_modules',
  '.local/lib/node_modules',
  '.bun/install/global/node_modules',
  '.local/share/pnpm/global/*/node_modules',
  'Library/pnpm/global/*/node_modules',
  '.nvm/versions/node/*/lib/node_modules',
  '.fnm/node-versions/*/installation/lib/node_modules',
  '.local/share/fnm/node-versions/*/installation/lib/node_modules',
  'n/lib/node_modules',
  '.n/lib/node_modules',
  '.nodenv/versions/*/lib/node_modules',
  '.asdf/installs/nodejs/*/lib/node_modules',
  '.local/share/mise/installs/*/*/lib/node_modules',
  '.volta/tools/image/packages/*/lib/node_modules',
];

/** Folders of `pip install` in a home, and in pyenv's versions. */
const sitePackages = [
  '.local/lib/python*/site-packages',
  'Library/Python/*/lib/python/site-packages',
  '.pyenv/versions/*/lib/python*/site-packages',
];

/** Folders of uv and pipx, with one environment for each tool, named after its package. */
const homeEnvironments = ['.local/share/uv/tools', '.local/share/pipx/venvs', '.local/pipx/venvs'];

async function npmPackage(scan: Scan, path: string, home: Home | undefined): Promise<Finding[]> {
  const declaredIn = `${path}/package.json`;
  const manifest = await readJsonManifest(scan.tree, declaredIn);
  const name = manifest && textIn(manifest, 'name');
  if (!manifest || !name || isFoundByProgram('npm', name) || !path.endsWith(`/${name}`)) return [];
  const { bin, description: summary, keywords } = manifest;
  const isProgram = typeof bin === 'string' || (isObject(bin) && Object.keys(bin).length > 0);
  const dependencies = isObject(manifest['dependencies'])
    ? Object.keys(manifest['dependencies'])
    : [];
  if (!isProgram) return [];
  const entry = known.npm.get(name);
  const evidence =
    manifestEvidence({ name, summary, keywords, dependencies }) ??
    (entry ? catalogEvidence : readmeEvidence(await readmeBeginning(scan, path)));
  if (!evidence) return [];
  const version = textIn(manifest, 'version') ?? null;
  return [describedFinding({ path, home, name, version, declaredIn, evidence, entry })];
}

async function packagesIn(scan: Scan, dir: string, home: Home | undefined): Promise<Finding[]> {
  const plain = await expand(scan.tree, `${dir}/*`);
  const scoped = await expand(scan.tree, `${dir}/@*/*`);
  const paths = [...plain.filter((path) => !path.slice(dir.length + 1).startsWith('@')), ...scoped];
  const found: Finding[] = [];
  for (const path of limited(scan, paths, MAX_PACKAGES, { path: `${dir}/`, of: 'packages' })) {
    scan.checkpoint();
    found.push(...(await npmPackage(scan, path, home)));
  }
  return found;
}

async function distributions(scan: Scan, pattern: string): Promise<readonly string[]> {
  const paths = await expand(scan.tree, `${pattern}/*.dist-info`);
  return limited(scan, paths, MAX_PACKAGES, { path: fixedFolder(pattern), of: 'packages' });
}

/** The description of a Python package, if it is about AI. */
async function readPythonDescription(scan: Scan, declaredIn: string) {
  const metadata = await readPythonMetadata(scan.tree, declaredIn);
  const name = metadata && textIn(metadata, 'name');
  if (!metadata || !name) return undefined;
  const version = textIn(metadata, 'version') ?? null;
  const entry = known.pypi.get(normalizedDistribution(name));
  const about =
    manifestEvidence(pythonDescription(name, metadata)) ??
    (entry ? catalogEvidence : readmeEvidence(proseOf(textIn(metadata, 'readme') ?? '')));
  return { name, version, about, declaredIn, entry };
}

const pythonDescription = (name: string, metadata: Manifest): PackageDescription => ({
  name,
  summary: metadata['summary'],
  keywords: (textIn(metadata, 'keywords') ?? '').split(/[,\s]+/),
  dependencies: metadata['requires'] as string[],
});

async function pythonTool(scan: Scan, path: string, home: Home): Promise<Finding[]> {
  const title = normalizedDistribution(path.slice(path.lastIndexOf('/') + 1));
  if (isFoundByProgram('pypi', title)) return [];
  const stem = title.replaceAll('-', '_');
  for (const dir of await expand(
    scan.tree,
    `${path}/lib/python*/site-packages/${stem}-*.dist-info`,
  )) {
    const description = await readPythonDescription(scan, `${dir}/METADATA`);
    if (!description || normalizedDistribution(description.name) !== title) continue;
    const { about: evidence } = description;
    return evidence ? [describedFinding({ ...description, path, home, evidence })] : [];
  }
  return [];
}

/**
 * A package that the user installed directly, with a program: pip creates an empty `REQUESTED` for
 * packages named on its command line, but not for their dependencies.
 */
async function pipPackage(scan: Scan, path: string, home: Home): Promise<Finding[]> {
  if (!(await scan.tree.stat(`${path}/REQUESTED`))) return [];
  const points = await scan.tree.read(`${path}/entry_points.txt`, CONFIG_LIMIT);
  if (!points || 'error' in points || !points.bytes.includes('[console_scripts]')) return [];
  const description = await readPythonDescription(scan, `${path}/METADATA`);
  if (!description?.about || isFoundByProgram('pypi', normalizedDistribution(description.name)))
    return [];
  return [describedFinding({ ...description, path, home, evidence: description.about })];
}

/** Programs outside the catalog whose package describes itself as AI. */
export async function findDescribedTools(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const dir of systemModules) found.push(...(await packagesIn(scan, dir, undefined)));
  for (const home of scan.homes) {
    for (const pattern of homeModules)
      for (const dir of await expand(scan.tree, `${home.dir}/${pattern}`))
        found.push(...(await packagesIn(scan, dir, home)));

    for (const pattern of homeEnvironments)
      for (const path of await expand(scan.tree, `${home.dir}/${pattern}/*`)) {
        scan.checkpoint();
        found.push(...(await pythonTool(scan, path, home)));
      }

    for (const pattern of sitePackages)
      for (const path of await distributions(scan, `${home.dir}/${pattern}`)) {
        scan.checkpoint();
        found.push(...(await pipPackage(scan, path, home)));
      }
  }
  return found;
}
