import type { KnownMcpServer } from '#domain/app-catalog/entry.ts';
import type { LaunchedPackage } from './launched-package.ts';

/** PyPI packages in catalog entries, by name without scope or folder. All others are from npm. */
const pyPiPackages: ReadonlySet<string> = new Set([
  'arxiv-mcp-server',
  'chroma-mcp',
  'duckduckgo-mcp-server',
  'elevenlabs-mcp',
  'kagimcp',
  'markitdown-mcp',
  'mcp-atlassian',
  'mcp-clickhouse',
  'mcp-neo4j-cypher',
  'mcp-obsidian',
  'mcp-server-fetch',
  'mcp-server-git',
  'mcp-server-shell',
  'mcp-server-sqlite',
  'mcp-server-time',
  'mcp-shell-server',
  'oxylabs-mcp',
  'postgres-mcp',
  'redis-mcp-server',
  'serena',
  'serena-agent',
  'serena-mcp-server',
  'wikipedia-mcp',
]);

type Registry = Exclude<LaunchedPackage['source'], 'remote'>;

/**
 * Returns the registry of an entry's package: equal names in different registries may be different
 * products.
 */
function registryOf(name: string, { source }: Pick<KnownMcpServer, 'source'>): Registry {
  if (name.startsWith('@')) return 'npm';
  if (name.includes('/')) return 'image';
  const isPyPI =
    pyPiPackages.has(name) || name.startsWith('awslabs.') || source.startsWith('https://pypi.org/');
  return isPyPI ? 'python' : 'npm';
}

/**
 * The program of a package. Images such as `ghcr.io/github/github-mcp-server` have the name of their
 * program, but not the short ones such as `mcp/git`.
 */
const programOfPackage = (name: string): string => {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return !name.startsWith('@') && /mcp-|-mcp/.test(last) ? last : name;
};

const keyOf = (registry: string, name: string) => `${registry} ${name}`;

/** Indexes entries by registry and package name. */
export function entriesByPackage(entries: readonly KnownMcpServer[]) {
  const known = new Map(
    entries.flatMap((entry) =>
      (entry.packages ?? []).map((name) => [keyOf(registryOf(name, entry), name), entry] as const),
    ),
  );
  const programs = new Map(
    entries.flatMap((entry) =>
      (entry.packages ?? []).map((name) => [programOfPackage(name), entry] as const),
    ),
  );
  return {
    /** The entry of a package; undefined if it is from another registry than the entry's. */
    ofPackage: ({ source, name, registry }: LaunchedPackage): KnownMcpServer | undefined =>
      registry === undefined ? known.get(keyOf(source, name)) : undefined,
    /** The entry of an installed program that has the name of a package or an image. */
    ofProgram: (program: string): KnownMcpServer | undefined => programs.get(program),
  };
}
