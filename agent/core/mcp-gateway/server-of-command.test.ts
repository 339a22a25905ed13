import { expect, test } from 'vitest';
import { serverOfCommand } from './server-of-command.ts';

test.each([
  [
    'npx -y @modelcontextprotocol/server-filesystem@1.2.0 /srv',
    '@modelcontextprotocol/server-filesystem',
  ],
  ['uvx mcp-server-git --repository .', 'mcp-server-git'],
  ['node --enable-source-maps /srv/tools/weather.js', 'weather'],
  ['python3 /srv/server.py', 'server'],
  ['python3 -m acme_files', 'acme_files'],
  ['sudo -u ada npx -y mcp-thing', 'mcp-thing'],
  ['npx mcp-remote https://mcp.acme.example:8443/sse', 'mcp.acme.example'],
  ['npx @smithery/cli run @acme/files', '@acme/files'],
  ['/usr/local/bin/github-mcp-server stdio', 'github-mcp-server'],
])('%s is %s', (command, server) => {
  expect(serverOfCommand(command.split(' '))).toBe(server);
});
