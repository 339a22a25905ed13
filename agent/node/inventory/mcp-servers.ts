import { prefixesOf, splitWords, wordsOf } from '#agent/core/recognition/command-line.ts';
import { readLaunch, type Launch } from '#agent/core/recognition/launch.ts';
import { isPinned } from '#agent/core/recognition/launched-package.ts';
import { serverText } from '#agent/core/recognition/launch-text.ts';
import { readMcpServers, valueAt, type McpServer } from '#agent/core/recognition/mcp-server.ts';
import { entriesByPackage } from '#agent/core/recognition/package-registry.ts';
import { flagsOfServer, setsRegistry } from '#agent/core/risk-flags.ts';
import { redactArguments } from '#agent/core/redact-arguments.ts';
import { displayAddress, displayName, displayNames } from '#agent/core/display.ts';
import type { KnownMcpServer, McpConfigPlace } from '#domain/app-catalog/entry.ts';
import { knownMcpServers } from '#domain/app-catalog/known-mcp-servers.ts';
import { mcpConfigPlaces } from '#domain/app-catalog/mcp-config-places.ts';
import { MAX_LARGE_FILE_BYTES_PER_HOME, readConfig, type SkimOptions } from './config-file.ts';
import { expand } from './expand.ts';
import { pluginConfigs } from './plugin-configs.ts';
import { type ConfigCandidate, projectConfigs } from './project-configs.ts';
import type { Finding } from './finding.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

const packages = entriesByPackage(knownMcpServers);
const byHost = new Map(
  knownMcpServers.flatMap((entry) => (entry.hosts ?? []).map((host) => [host, entry])),
);

/** The folders in which installers put programs. A program elsewhere may have any name. */
const programFolder = /(^|\/)(bin|\.bin|shims)\/[^/]+$/;

/** The name of an installed program or script; undefined for one in another folder. */
function installedName({ program, file }: Launch): string | undefined {
  if (file === undefined) return program;
  return programFolder.test(file) ? file.slice(file.lastIndexOf('/') + 1) : undefined;
}

function knownServer(server: McpServer, launch: Launch): KnownMcpServer | undefined {
  const address = server.url ?? launch.target;
  if (address !== undefined) return byHost.get(URL.parse(address)?.hostname ?? '');
  if (launch.package) return packages.ofPackage(launch.package);
  const name = installedName(launch);
  return name === undefined ? undefined : packages.ofProgram(name);
}

/** The words of a server's command. A path with blanks is one word if there is such a file. */
async function commandWords(scan: Scan, { command, args }: McpServer): Promise<string[]> {
  if (!/\s/.test(command)) return wordsOf(command, args);
  const paths = [command, ...prefixesOf(command), ...splitWords(command).slice(0, 1)];
  const found = new Set<string>();
  for (const path of paths) {
    const isPath = path.startsWith('/') && /\s/.test(path);
    if (isPath && (await scan.tree.stat(path))?.isFile()) found.add(path);
  }
  return wordsOf(command, args, (path) => found.has(path));
}

/**
 * Returns the launch of a server. A variable may set another registry; its value stays on the
 * device.
 */
async function launchOf(scan: Scan, server: McpServer): Promise<Launch> {
  const launch = readLaunch(server.command === '' ? [] : await commandWords(scan, server));
  if (!launch.package || launch.package.registry || !setsRegistry(server, launch)) return launch;
  return { ...launch, package: { ...launch.package, registry: 'another registry' } };
}

const noteOf = (title: string, names: readonly string[]) =>
  names.length === 0 ? [] : [`${title}: ${displayNames(names).join(', ')}`];

/** Describes how a server is reached, by what is run or by scheme and host only. */
const reachedBy = (server: McpServer, launch: Launch, home: Home | undefined) =>
  `${server.transport}: ${server.url === undefined ? serverText(launch, home?.dir) : displayAddress(server.url)}`;

interface Source {
  path: string;
  scope: string | undefined;
  place: McpConfigPlace;
  worldReadable: boolean;
}

async function findingOf(
  scan: Scan,
  server: McpServer,
  source: Source,
  home: Home | undefined,
): Promise<Finding> {
  const launch = await launchOf(scan, server);
  const { arguments: args, through, variables } = launch;
  const known = knownServer(server, launch);
  const scope = source.scope === undefined ? '' : ` for ${displayName(source.scope)}`;
  return {
    kind: 'mcp_server',
    name: displayName(server.name),
    catalogId: known?.id ?? null,
    version: launch.package && isPinned(launch.package) ? (launch.package.version ?? null) : null,
    path: source.scope?.startsWith('/') ? displayName(source.scope) : source.path,
    source: source.path,
    user: home?.user ?? null,
    signals: [
      { kind: 'location', text: `in ${source.path}${scope}, read by ${source.place.client}` },
      { kind: 'declaration', text: reachedBy(server, launch, home) },
    ],
    notes: [
      ...(args.length > 0 ? [`arguments: ${redactArguments(args)}`] : []),
      ...(through.length > 0 ? [`run by ${through.join(', ')}`] : []),
      ...noteOf('environment variables', [...Object.keys(server.env), ...variables]),
      ...noteOf('headers', Object.keys(server.headers)),
      ...(server.disabled ? ['disabled in the configuration'] : []),
    ],
    flags: flagsOfServer(server, launch, { known, worldReadable: source.worldReadable }),
  };
}

/** Expands a catalog entry's pattern, which is the same for both systems. */
const patternIn = (scan: Scan, home: Home, file: string) =>
  `${home.dir}/${file.replace('{app-data}', scan.platformPaths.appData).replace('{data}', scan.platformPaths.data)}`;

async function candidatesIn(scan: Scan, home: Home): Promise<ConfigCandidate[]> {
  const found: ConfigCandidate[] = [];
  for (const place of mcpConfigPlaces)
    for (const file of place.homeFiles ?? []) {
      const paths = await expand(scan.tree, patternIn(scan, home, file));
      found.push(...paths.map((path) => ({ path, place })));
    }

  return [...found, ...(await projectConfigs(scan, home)), ...(await pluginConfigs(scan, home))];
}

/** Configurations that an administrator wrote for all users. */
const systemCandidates = ({ platformPaths }: Scan): ConfigCandidate[] =>
  mcpConfigPlaces.flatMap((place) =>
    (place.systemFiles?.[platformPaths.system] ?? []).map((path) => ({ path, place })),
  );

/** The manifest of an extension declares one server and its name. */
function asServers(document: unknown, { keys, single }: McpConfigPlace) {
  if (!single) return readMcpServers(document, keys);
  const [path = []] = keys;
  const names = [valueAt(document, ['display_name']), valueAt(document, ['name'])];
  const name = names.find((value) => typeof value === 'string') ?? 'extension';
  const server = valueAt(document, path);
  return readMcpServers({ servers: { [name]: server } }, [['servers']]);
}

/** An extension's document has the name of its server next to it. */
const keysOf = ({ keys, single }: McpConfigPlace) =>
  single ? [...keys, ['display_name'], ['name']] : keys;

async function serversIn(
  scan: Scan,
  home: Home | undefined,
  { path, place }: ConfigCandidate,
  budget: SkimOptions['budget'],
): Promise<Finding[]> {
  const skimOptions = { keys: keysOf(place), budget };
  const config = await readConfig(scan, home, path, place.format, skimOptions);
  if (!config) return [];
  const { worldReadable } = config;
  const found: Finding[] = [];
  for (const { server, scope } of asServers(config.document, place))
    found.push(await findingOf(scan, server, { path, scope, place, worldReadable }, home));
  return found;
}

async function serversOf(
  scan: Scan,
  candidates: readonly ConfigCandidate[],
  home: Home | undefined,
) {
  const found: Finding[] = [];
  const seen = new Set<string>();
  const targets = new Set<string>();
  const budget = { remainingBytes: MAX_LARGE_FILE_BYTES_PER_HOME };
  for (const candidate of candidates) {
    const target = await scan.tree.resolve(candidate.path);
    const key = `${target} ${candidate.place.keys.join(' ')}`;
    if (target === undefined || seen.has(key)) continue;
    if (candidate.place.anyClient && targets.has(target)) continue;
    seen.add(key);
    targets.add(target);
    scan.checkpoint();
    found.push(...(await serversIn(scan, home, candidate, budget)));
  }
  return found;
}

/** Creates one finding per server in an MCP client's configuration. */
export async function findMcpServers(scan: Scan): Promise<Finding[]> {
  const ofAll = [...systemCandidates(scan), ...(await pluginConfigs(scan, undefined))];
  const found = await serversOf(scan, ofAll, undefined);
  for (const home of scan.homes)
    found.push(...(await serversOf(scan, await candidatesIn(scan, home), home)));

  return found;
}
