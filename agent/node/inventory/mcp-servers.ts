import type { KnownMcpServer, McpConfigPlace } from '#agent/core/app-catalog/entry.ts';
import { knownMcpServers } from '#agent/core/app-catalog/known-mcp-servers.ts';
import { isPinned, readLaunch, type Launch } from '#agent/core/app-catalog/launch.ts';
import { mcpConfigPlaces } from '#agent/core/app-catalog/mcp-config-places.ts';
import { readMcpServers, type McpServer } from '#agent/core/app-catalog/mcp-server.ts';
import { flagsOfServer } from '#agent/core/risk-flags.ts';
import { shownAddress, shownName, shownNames } from '#agent/core/shown.ts';
import { readConfig } from './config-file.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import type { Home, Scan } from './places/places.ts';
import { findProjectConfigs } from './project-configs.ts';

const byPackage = new Map(
  knownMcpServers.flatMap((entry) => (entry.packages ?? []).map((name) => [name, entry])),
);
const byHost = new Map(
  knownMcpServers.flatMap((entry) => (entry.hosts ?? []).map((host) => [host, entry])),
);

function knownServer(server: McpServer, launch: Launch): KnownMcpServer | undefined {
  const host = server.url === undefined ? undefined : URL.parse(server.url)?.hostname;
  if (host !== undefined) return byHost.get(host);
  return byPackage.get(launch.package?.name ?? launch.program);
}

function launchText({ program, package: launched }: Launch): string {
  if (!launched) return program;
  const version = launched.version === undefined ? '' : `@${launched.version}`;
  return `${program} ${launched.name}${version}`;
}

const listed = (title: string, values: Readonly<Record<string, string>>) => {
  const names = Object.keys(values);
  return names.length === 0 ? [] : [`${title}: ${shownNames(names).join(', ')}`];
};

/** One line on how it is reached: program and package, or scheme and host. Nothing else. */
const reachedBy = (server: McpServer, launch: Launch) =>
  `${server.transport}: ${server.url === undefined ? launchText(launch) : shownAddress(server.url)}`;

interface Source {
  path: string;
  scope: string | undefined;
  place: McpConfigPlace;
  worldReadable: boolean;
}

function findingOf(server: McpServer, source: Source, home: Home): Finding {
  const launch = readLaunch(server.command, server.args);
  const known = knownServer(server, launch);
  const scope = source.scope === undefined ? '' : ` for ${shownName(source.scope)}`;
  return {
    kind: 'mcp_server',
    name: shownName(server.name),
    catalogId: known?.id ?? null,
    version: launch.package && isPinned(launch.package) ? (launch.package.version ?? null) : null,
    path: source.scope?.startsWith('/') ? shownName(source.scope) : source.path,
    user: home.user,
    signals: [
      { kind: 'location', text: `in ${source.path}${scope}, read by ${source.place.client}` },
      { kind: 'declaration', text: reachedBy(server, launch) },
    ],
    notes: [
      ...listed('environment variables', server.env),
      ...listed('headers', server.headers),
      ...(server.disabled ? ['disabled in the configuration'] : []),
    ],
    flags: flagsOfServer(server, { known, worldReadable: source.worldReadable }),
  };
}

interface Candidate {
  path: string;
  place: McpConfigPlace;
}

async function candidatesIn(scan: Scan, home: Home): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const place of mcpConfigPlaces) {
    for (const file of place.homeFiles ?? []) {
      const pattern = `${home.dir}/${file.replace('{app-data}', scan.places.appData)}`;
      const paths = await expand(scan.tree, pattern);
      found.push(...paths.map((path) => ({ path, place })));
    }
  }
  return [...found, ...(await findProjectConfigs(scan, home))];
}

async function serversIn(scan: Scan, home: Home, { path, place }: Candidate): Promise<Finding[]> {
  const config = await readConfig(scan, home, path, place.format);
  if (!config) return [];
  return readMcpServers(config.document, place.keys).map(({ server, scope }) =>
    findingOf(server, { path, scope, place, worldReadable: config.worldReadable }, home),
  );
}

/** One finding for every server that an MCP client of some person is configured to start. */
export async function findMcpServers(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of scan.homes) {
    const seen = new Set<string>();
    for (const candidate of await candidatesIn(scan, home)) {
      const target = await scan.tree.resolve(candidate.path);
      const key = `${target} ${candidate.place.keys.join(' ')}`;
      if (target === undefined || seen.has(key)) continue;
      seen.add(key);
      scan.checkpoint();
      found.push(...(await serversIn(scan, home, candidate)));
    }
  }
  return found;
}
