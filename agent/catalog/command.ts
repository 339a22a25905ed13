/*
 * Prints what discovery knows by name: every entry of the catalog of apps with its source, and every
 * place of MCP configurations.
 *
 * npm run catalog [-- --json]
 */
import { appCatalog } from '#agent/core/app-catalog/catalog.ts';
import { loadedCatalog } from '#agent/core/app-catalog/loaded-catalog.ts';
import { mcpConfigPlaces } from '#agent/core/app-catalog/mcp-config-places.ts';
import { catalogTable } from './table.ts';

const entries = [...appCatalog, ...loadedCatalog];
const isJson = process.argv.includes('--json');
const printed = isJson
  ? JSON.stringify({ entries, mcp_config_places: mcpConfigPlaces }, null, 2)
  : catalogTable(entries, mcpConfigPlaces);
process.stdout.write(`${printed}\n`);
