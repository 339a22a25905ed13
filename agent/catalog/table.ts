interface Row {
  id: string;
  name: string;
  source?: string;
}

const byId = (a: Row, b: Row) => (a.id < b.id ? -1 : 1);

function section(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ id }) => id.length));
  const names = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ id, name, source = '' }) =>
    `${id.padEnd(width)}  ${name.padEnd(names)}  ${source}`.trimEnd(),
  );
  return [`${title}: ${rows.length}`, ...lines].join('\n');
}

/** The entries by kind and the paths of MCP configurations, each with its source, and the totals. */
export function catalogTable(
  entries: readonly (Row & { kind: string })[],
  places: readonly { client: string; format: string; source: string }[],
): string {
  const kinds = Map.groupBy(entries, ({ kind }) => kind);
  const sections = [...kinds].map(([kind, rows]) => section(kind, rows.toSorted(byId)));
  const files = places.map(({ client, format, source }) => ({ id: client, name: format, source }));
  const total = `${entries.length} entries, ${places.length} places of MCP configurations`;
  return [...sections, section('mcp configurations', files), total].join('\n\n');
}
