import { parseArgs } from 'node:util';
import { appCatalog } from '#agent/core/app-catalog/catalog.ts';
import { loadedCatalog } from '#agent/core/app-catalog/loaded-catalog.ts';
import { mcpConfigPlaces } from '#agent/core/app-catalog/mcp-config-places.ts';
import { allowClosedReader } from '#profile-builder/closed-reader.ts';
import { errorLine } from '#profile-builder/error-line.ts';
import { catalogTable } from './table.ts';

const usage = `usage: npm run --silent catalog [-- --json]

Prints what discovery knows by name: every entry of the catalog of apps with its source, and every
place of MCP configurations.`;

const options = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

allowClosedReader();
try {
  const { values } = parseArgs({ options });
  process.stdout.write(`${values.help ? usage : listing(values.json)}\n`);
} catch (error) {
  process.stderr.write(`${errorLine(error as Error)}\n${usage}\n`);
  process.exitCode = 2;
}

function listing(asJson: boolean): string {
  const entries = [...appCatalog, ...loadedCatalog];
  return asJson
    ? JSON.stringify({ entries, mcp_config_places: mcpConfigPlaces }, null, 2)
    : catalogTable(entries, mcpConfigPlaces);
}
