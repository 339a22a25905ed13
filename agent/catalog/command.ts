import { parseArgs } from 'node:util';
import { appCatalog } from '#domain/app-catalog/catalog.ts';
import { loadedCatalog } from '#domain/app-catalog/loaded-catalog.ts';
import { mcpConfigPlaces } from '#domain/app-catalog/mcp-config-places.ts';
import { allowClosedReader, errorLine } from '#profile-builder/terminal-output.ts';
import { catalogTable } from './table.ts';

const USAGE = `usage: npm run --silent catalog [-- --json]

Prints what discovery knows by name: every entry of the catalog of apps with its source, and every
location of MCP configurations. In a path, {app-data} is Library/Application Support on macOS and
.config on Linux; {data} is Library/Application Support on macOS and .local/share on Linux.`;

const options = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

allowClosedReader();
try {
  const { values } = parseArgs({ options });
  process.stdout.write(`${values.help ? USAGE : listing(values.json)}\n`);
} catch (error) {
  process.stderr.write(`${errorLine(error as Error)}\n${USAGE}\n`);
  process.exitCode = 2;
}

function listing(asJson: boolean): string {
  const entries = [...appCatalog, ...loadedCatalog];
  return asJson
    ? JSON.stringify({ entries, mcp_config_places: mcpConfigPlaces }, null, 2)
    : catalogTable(entries, mcpConfigPlaces);
}
