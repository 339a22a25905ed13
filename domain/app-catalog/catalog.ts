import { commandLineTools } from './command-line-tools.ts';
import { desktopApps } from './desktop-apps.ts';
import { editorExtensions } from './editor-extensions.ts';
import type { CatalogEntry } from './entry.ts';
import { knownMcpServers } from './known-mcp-servers.ts';
import { localModelServers } from './local-model-servers.ts';

/** All AI apps that the agent recognizes. */
export const appCatalog: readonly CatalogEntry[] = [
  ...desktopApps,
  ...commandLineTools,
  ...editorExtensions,
  ...knownMcpServers,
  ...localModelServers,
];
