import type { KnownMcpServer } from './entry.ts';

type Signals = Omit<KnownMcpServer, 'id' | 'name' | 'vendor' | 'kind'>;

export const server = (
  id: string,
  name: string,
  vendor: string,
  signals: Signals,
): KnownMcpServer => ({ id, name, vendor, kind: 'mcp_server', ...signals });
