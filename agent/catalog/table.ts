import type { McpConfigPlace } from '#domain/app-catalog/entry.ts';

interface Row {
  id: string;
  name: string;
  source?: string;
  /** Lines below the row. */
  details?: readonly string[];
}

type Place = Pick<
  McpConfigPlace,
  'client' | 'format' | 'source' | 'homeFiles' | 'projectFiles' | 'systemFiles'
>;

const byId = (a: Row, b: Row) => (a.id < b.id ? -1 : 1);

function section(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ id }) => id.length));
  const names = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.flatMap(({ id, name, source = '', details = [] }) => [
    `${id.padEnd(width)}  ${name.padEnd(names)}  ${source}`.trimEnd(),
    ...details.map((detail) => `  ${detail}`),
  ]);
  return [`${title}: ${rows.length}`, ...lines].join('\n');
}

/** The paths of a place; {app-data} and {data} are folders of the system below the home folder. */
const pathsOf = ({ homeFiles = [], projectFiles = [], systemFiles = {} }: Place): string[] => [
  ...homeFiles.map((path) => `~/${path}`),
  ...projectFiles.map((path) => `PROJECT/${path}`),
  ...(systemFiles.darwin ?? []).map((path) => `${path} (macOS)`),
  ...(systemFiles.linux ?? []).map((path) => `${path} (Linux)`),
];

/** The entries by kind and the paths of MCP configurations, each with its source, and the totals. */
export function catalogTable(
  entries: readonly (Row & { kind: string })[],
  places: readonly Place[],
): string {
  const kinds = Map.groupBy(entries, ({ kind }) => kind);
  const sections = [...kinds].map(([kind, rows]) => section(kind, rows.toSorted(byId)));
  const files = places.map((place) => ({
    id: place.client,
    name: place.format,
    source: place.source,
    details: pathsOf(place),
  }));
  const total = `${entries.length} entries, ${places.length} places of MCP configurations`;
  return [...sections, section('mcp configurations', files), total].join('\n\n');
}
