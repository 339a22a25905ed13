import { appsAtPath, isProcessName } from '#agent/core/recognition/app-of-process.ts';
import { serverScript, type ServerScript } from '#agent/core/recognition/server-script.ts';
import type { Signal } from '#agent/core/recognition/signals.ts';
import type { LocalModelServer } from '#domain/app-catalog/entry.ts';
import { localModelServers } from '#domain/app-catalog/local-model-servers.ts';
import type { Finding } from './finding.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import type { RunningProcess } from './processes/process.ts';
import { expand } from './expand.ts';
import { readJsonManifest, textIn } from './manifest.ts';

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

interface ServerEvidence {
  signals: Signal[];
  version?: string | undefined;
  /** Whether the evidence is sufficient without a port, so that the server counts on any port. */
  isSure: boolean;
  /** Whether the program may run without serving, so that it must also listen. */
  mayIdle: boolean;
}

const nothing: ServerEvidence = { signals: [], isSure: false, mayIdle: true };

interface Candidate {
  running: RunningProcess;
  /** Catalog ids of the program by its path, the most specific first. */
  apps: readonly string[];
}

/**
 * Keeps a reference to the process instead of a copy: finding its ports is slow and rarely needed.
 */
function toCandidate(running: RunningProcess): Candidate {
  const { path } = running;
  return { running, apps: appsAtPath({ name: path && baseName(path), path }) };
}

/** Matches a program by its path, or by a unique name. */
function matchProgram({ running, apps }: Candidate, entry: LocalModelServer): ServerEvidence {
  const { name, path, words } = running;
  const file = path === null ? null : baseName(path);
  if (path !== null && apps.includes(entry.id)) {
    const signals: Signal[] = [
      { kind: 'process', text: `running: ${path}` },
      { kind: 'name', text: `a process is called ${file}` },
    ];
    // Apps with a window contain a server that most users never enable.
    const isOwn = apps[0] === entry.id;
    return { signals, isSure: isOwn, mayIdle: !isOwn };
  }
  const names = [name, ...(file === null ? [] : [file])];
  const serve = entry.serves?.find((word) => words[1] === word);
  // An ambiguous name is sufficient together with the subcommand.
  const candidates = [
    ...(entry.executables ?? []),
    ...(serve === undefined ? [] : (entry.commonNames ?? [])),
  ];
  const known = candidates.find((one) => names.some((each) => isProcessName(each, one)));
  if (known === undefined) return nothing;
  const signals: Signal[] = [{ kind: 'name', text: `a process is called ${known}` }];
  if (serve !== undefined) signals.push({ kind: 'process', text: `it was started with ${serve}` });

  return { signals, isSure: serve !== undefined, mayIdle: true };
}

/**
 * Matches the script of an interpreter: a module, a script of a package, or a script in a known
 * folder.
 */
async function matchScript(
  scan: Scan,
  script: ServerScript,
  entry: LocalModelServer,
): Promise<ServerEvidence> {
  const text = `an interpreter runs ${script.name}`;
  if (script.kind === 'module')
    return { signals: [{ kind: 'process', text }], isSure: true, mayIdle: true };

  const brought = await packageOfServer(scan, script.path, entry);
  const signals: Signal[] = [{ kind: 'name', text }];
  if (brought) signals.push({ kind: 'manifest', text: brought.text });
  if (script.serves)
    signals.push({ kind: 'process', text: `it was started with ${script.serves}` });
  return { signals, version: brought?.version, isSure: signals.length > 1, mayIdle: true };
}

function listening(running: RunningProcess, entry: LocalModelServer, isSure: boolean) {
  const texts = running.listens.map(({ address, port }) => ({
    usual: entry.ports.includes(port),
    text: `listens on ${address.includes(':') ? `[${address}]` : address}:${port}`,
  }));
  return texts
    .filter(({ usual }) => usual || isSure)
    .map(({ text }): Signal => ({ kind: 'port', text }));
}

async function findingOf(
  scan: Scan,
  { running, script, program, entry }: Match,
): Promise<Finding[]> {
  const seen = script ? await matchScript(scan, script, entry) : program;
  const ports = listening(running, entry, seen.isSure);
  if (seen.mayIdle && ports.length === 0) return [];
  const brewed = /\/(?:Cellar|Caskroom)\/[^/]+\/([^/]+)\//.exec(running.path ?? '')?.[1];
  return [
    {
      kind: 'local_model_server',
      name: entry.name,
      catalogId: entry.id,
      version: brewed ?? seen.version ?? null,
      path: running.path ?? '',
      user: running.user,
      signals: [...seen.signals, ...ports],
    },
  ];
}

interface Match {
  running: RunningProcess;
  entry: LocalModelServer;
  /** The interpreter's script; without one, the program itself is the evidence. */
  script: ServerScript | undefined;
  program: ServerEvidence;
}

/** Returns the possible entries of a process: usually none, so that nothing is read from disk. */
const matchesOf = (candidate: Candidate): Match[] =>
  localModelServers
    .map((entry) => ({
      running: candidate.running,
      entry,
      script: serverScript(candidate.running, entry),
      program: matchProgram(candidate, entry),
    }))
    .filter(({ script, program }) => script !== undefined || program.signals.length > 0);

/**
 * Finds running model servers: a process with a known path, or one with a known name, module or
 * script that also listens. Several processes of one server are one finding.
 */
export async function findLocalModelServers(scan: Scan): Promise<Finding[]> {
  const running = await scan.platformPaths.listProcesses(scan);
  const matches = running.map(toCandidate).flatMap(matchesOf);
  const found = await Promise.all(matches.map((match) => findingOf(scan, match)));
  return found.flat();
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** The package that provides a server's script: by `node_modules` or `dist-info`. */
async function packageOfServer(
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
