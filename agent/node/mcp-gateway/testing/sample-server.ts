import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** A server of the SDK with tools that exercise a gateway. */
const server = new McpServer({ name: 'sample', version: '1.0.0' });
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

server.registerTool('echo', { inputSchema: { value: z.string() } }, ({ value }) => text(value));
server.registerTool('delete', {}, () => text('deleted'));
server.registerTool('fail', {}, () => {
  throw new Error('it does not work');
});
server.registerTool('large', { inputSchema: { bytes: z.number() } }, ({ bytes }) =>
  text('x'.repeat(bytes)),
);
server.registerTool('crash', {}, () => process.exit(3));
server.registerTool('hang', {}, ({ signal }) => {
  process.stderr.write('hanging\n');
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      process.stderr.write('cancelled\n');
      resolve(text('cancelled'));
    });
  });
});
await server.connect(new StdioServerTransport());
