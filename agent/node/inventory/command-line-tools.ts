import type { Signal } from '#agent/core/recognition/signals.ts';
import { settingMatches, type RiskFlag } from '#agent/core/risk-flags.ts';
import { commandLineTools } from '#domain/app-catalog/command-line-tools.ts';
import type { CommandLineTool } from '#domain/app-catalog/entry.ts';
import { readConfig } from './config-file.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';
import type { Program } from './program-origin.ts';
import { projectBinDirs } from './project-walk.ts';
import { originsOf } from './tool-origin.ts';

const byBinary = Map.groupBy(
  commandLineTools.flatMap((entry) => entry.binaries.map((binary) => ({ binary, entry }))),
  ({ binary }) => binary,
);

interface BinDir {
  dir: string;
  home: Home | undefined;
}

/** The folders of programs in the projects of all homes. */
async function projectDirs(scan: Scan): Promise<BinDir[]> {
  const found: BinDir[] = [];
  for (const home of scan.homes)
    for (const { path, names } of await scan.projects(home))
      for (const name of names) {
        const below = Object.hasOwn(projectBinDirs, name) ? projectBinDirs[name] : undefined;
        if (below !== undefined) found.push({ dir: `${path}/${name}/${below}`, home });
      }
  return found;
}

async function binDirs(scan: Scan): Promise<BinDir[]> {
  const own = scan.homes.flatMap((home) =>
    scan.platformPaths.homeBinDirs.map(async (dir) =>
      (await expand(scan.tree, `${home.dir}/${dir}`)).map((path) => ({ dir: path, home })),
    ),
  );
  const system = scan.platformPaths.binDirs.map(async (pattern) =>
    (await expand(scan.tree, pattern)).map((dir) => ({ dir, home: undefined })),
  );
  return [...(await Promise.all([...own, ...system])).flat(), ...(await projectDirs(scan))];
}

const fileOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Folders and files that the tool left in its users' homes. They are evidence for a program with a
 * distinctive name; for a common word they may belong to another program.
 */
async function homeSignals(
  scan: Scan,
  entry: CommandLineTool,
  { program, homes }: { program: Program; homes: readonly Home[] },
) {
  const kind = entry.ownNames?.includes(fileOf(program.path)) ? 'data' : 'home';
  const paths = homes.flatMap((home) => (entry.homes ?? []).map((dir) => `${home.dir}/${dir}`));
  const found = await Promise.all(paths.map((path) => scan.tree.resolve(path)));
  return paths
    .filter((_, i) => found[i] !== undefined)
    .map((path): Signal => ({ kind, text: `settings in ${path}` }));
}

async function settingFlags(scan: Scan, entry: CommandLineTool, homes: readonly Home[]) {
  const flags: RiskFlag[] = [];
  for (const home of homes)
    for (const check of entry.checks ?? []) {
      const config = await readConfig(scan, home, `${home.dir}/${check.file}`, check.format);
      if (config && settingMatches(check, config.document)) flags.push(check.flag);
    }

  return flags;
}

async function inspect(scan: Scan, entry: CommandLineTool, program: Program): Promise<Finding> {
  const homes = program.home ? [program.home] : scan.homes;
  const origins = await originsOf(scan, entry, program);
  return {
    kind: 'cli',
    name: entry.name,
    catalogId: entry.id,
    version: origins.find((origin) => origin.version)?.version ?? null,
    path: program.path,
    user: program.home?.user ?? null,
    signals: [
      { kind: 'name', text: `program ${program.path}` },
      ...origins.map((origin) => origin.signal),
      ...(await homeSignals(scan, entry, { program, homes })),
    ],
    flags: await settingFlags(scan, entry, homes),
  };
}

async function programAt(scan: Scan, path: string, home: BinDir['home']) {
  const target = await scan.tree.resolve(path);
  const info = target === undefined ? undefined : await scan.tree.stat(target);
  const isProgram = info?.isFile() === true && (info.mode & 0o111) !== 0;
  return target !== undefined && isProgram ? { path, target, home } : undefined;
}

/**
 * Finds terminal agents in the program folders of the system, of every home and of its projects. A
 * program that several folders link to is one finding, under the first of its paths.
 */
export async function findCommandLineTools(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  const seen = new Set<string>();
  for (const { dir, home } of await binDirs(scan)) {
    scan.checkpoint();
    for (const { name } of await scan.tree.list(dir))
      for (const { entry } of byBinary.get(name) ?? []) {
        scan.checkpoint();
        const program = await programAt(scan, `${dir}/${name}`, home);
        const key = `${entry.id} ${program?.target}`;
        if (!program || seen.has(key)) continue;
        seen.add(key);
        found.push(await inspect(scan, entry, program));
      }
  }
  return found;
}
