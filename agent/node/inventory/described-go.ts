import { join } from 'node:path';
import { isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { modelLibraryIn } from '#agent/core/recognition/model-libraries.ts';
import { displayName } from '#agent/core/display.ts';
import { commandLineTools } from '#domain/app-catalog/command-line-tools.ts';
import { manifestEvidence } from './described-finding.ts';
import type { Finding } from './finding.ts';
import { readGoModules, type GoModules } from './go-build-info.ts';
import { limited } from './limited.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';
import { readmeBeginning } from './readme.ts';

const known = commandLineTools.flatMap((entry) => entry.go ?? []);

/** The folders to which `go install` writes programs, and where people put downloaded ones. */
const homeDirs = ['go/bin', '.local/bin', 'bin'];
const systemDirs = ['/usr/local/bin'];

/** The limit of one folder: more than any user has. */
const MAX_PROGRAMS = 500;

/**
 * Whether a package manager installed the program; the descriptions of its packages are used
 * instead.
 */
const isPackaged = (target: string) =>
  /\/(?:Cellar|Caskroom|node_modules|site-packages)\//.test(target);

interface GoProgram {
  path: string;
  home: Home | undefined;
  modules: GoModules;
}

const isKnown = ({ path }: GoModules) =>
  known.some((module) => path === module || path.startsWith(`${module}/`));

/** Escapes capitals as `!` and a small letter: https://go.dev/ref/mod#module-cache */
const escaped = (path: string) => path.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);

/**
 * Returns the module of an import path: `github.com/acme/tool/v2` for
 * `github.com/acme/tool/v2/cmd/tool`.
 */
const moduleOf = (path: string) => path.split('/cmd/', 1)[0] ?? path;

/**
 * Returns a module's own name: without the host, and on the sites that have owners without the
 * owner. The owner says nothing of a program: `openai/tart` runs virtual machines.
 */
const ownName = (module: string) =>
  module.replace(/^(?:(?:github|gitlab)\.com|bitbucket\.org|codeberg\.org)\/[^/]+\/|^[^/]+\//, '');

async function describesItselfAsAi(scan: Scan, { home, modules }: GoProgram): Promise<boolean> {
  if (!home || modules.version === undefined) return false;
  const dir = `${home.dir}/go/pkg/mod/${escaped(moduleOf(modules.path))}@v${modules.version}`;
  return isAboutAi({ name: '', summary: await readmeBeginning(scan, dir) });
}

async function inspect(scan: Scan, program: GoProgram): Promise<Finding[]> {
  const { path, home, modules } = program;
  const { dependencies } = modules;
  const name = moduleOf(modules.path);
  const isMade = manifestEvidence({ name: ownName(name), dependencies }) !== undefined;
  if (!isMade && !(await describesItselfAsAi(scan, program))) return [];
  const library = modelLibraryIn(dependencies);
  return [
    {
      kind: 'cli',
      name: displayName(path.slice(path.lastIndexOf('/') + 1)),
      catalogId: null,
      version: modules.version ?? null,
      path,
      user: home?.user ?? null,
      signals: [
        { kind: 'location', text: `program ${path}` },
        isMade
          ? { kind: 'mark', text: `built from ${displayName(name)}` }
          : { kind: 'description', text: 'its README says that it is about AI' },
      ],
      notes: library === undefined ? [] : [`it is made with ${displayName(library)}`],
    },
  ];
}

async function programsIn(scan: Scan, dir: string, home: Home | undefined): Promise<GoProgram[]> {
  const found: GoProgram[] = [];
  const entries = await scan.tree.list(dir);
  for (const { name } of limited(scan, entries, MAX_PROGRAMS, {
    path: `${dir}/`,
    of: 'programs',
  })) {
    scan.checkpoint();
    const path = `${dir}/${name}`;
    const target = await scan.tree.resolve(path);
    if (target === undefined || isPackaged(target)) continue;
    const modules = await readGoModules(join(scan.tree.root, target));
    if (modules && !isKnown(modules)) found.push({ path, home, modules });
  }
  return found;
}

/** Go programs outside the catalog, recognized by the modules they were built from. */
export async function findDescribedGo(scan: Scan): Promise<Finding[]> {
  const dirs = [
    ...scan.homes.flatMap((home) => homeDirs.map((dir) => ({ dir: `${home.dir}/${dir}`, home }))),
    ...systemDirs.map((dir) => ({ dir, home: undefined })),
  ];
  const found: Finding[] = [];
  for (const { dir, home } of dirs)
    for (const program of await programsIn(scan, dir, home))
      found.push(...(await inspect(scan, program)));

  return found;
}
