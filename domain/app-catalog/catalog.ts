import { commandLineTools } from './command-line-tools.ts';
import { desktopApps } from './desktop-apps.ts';
import { editorExtensions } from './editor-extensions.ts';
import type { CatalogEntry } from './entry.ts';
import { knownMcpServers } from './known-mcp-servers.ts';
import { localModelServers } from './local-model-servers.ts';

/** Every AI app the agent knows by name. */
export const appCatalog: readonly CatalogEntry[] = [
  ...desktopApps,
  ...commandLineTools,
  ...editorExtensions,
  ...knownMcpServers,
  ...localModelServers,
];
