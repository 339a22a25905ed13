import { commonMcpServers } from './common-mcp-servers.ts';
import type { KnownMcpServer } from './entry.ts';
import { packagedMcpServers } from './packaged-mcp-servers.ts';
import { popularMcpServers } from './popular-mcp-servers.ts';
import { registryMcpServers } from './registry-mcp-servers.ts';
import { remoteMcpServers } from './remote-mcp-servers.ts';

/** MCP servers in the catalog. All others are reported as they are declared. */
export const knownMcpServers: readonly KnownMcpServer[] = [
  ...commonMcpServers,
  ...popularMcpServers,
  ...registryMcpServers,
  ...remoteMcpServers,
  ...packagedMcpServers,
];
