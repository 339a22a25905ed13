import { expect, test } from 'vitest';
import { appGroupOf } from './app-group.ts';

const app = (more: object = {}) => ({
  kind: 'mcp_server' as const,
  name: 'my-server',
  catalog_id: null,
  evidence: [],
  ...more,
});
const server = (evidence: string, more: object = {}) =>
  app({ evidence: ['in /x', evidence], ...more });

test.each([
  ['stdio: npx @acme/files@1.2.3', 'npm:@acme/files'],
  ['stdio: npx @acme/files', 'npm:@acme/files'],
  ['stdio: uvx mcp-thing@2026.1', 'pypi:mcp-thing'],
  ['stdio: docker ghcr.io/acme/files@1.2', 'docker:ghcr.io/acme/files'],
  ['stdio: npx @acme/files@1.2.3 from http://evil.test', 'http://evil.test @acme/files'],
  ['stdio: npx a-mcp from another registry', 'another registry a-mcp'],
  ['stdio: npx github:evil/x', 'github:evil/x'],
  ['stdio: uvx https://git.example/a/b.git', 'https://git.example/a/b.git'],
  ['stdio: npx remote source', 'my-server (npx)'],
  ['stdio: node', 'my-server (node)'],
  ['stdio: sh', 'my-server (sh)'],
  ['stdio: node npm:@acme/files', 'npm:@acme/files'],
  ['stdio: python3 pypi:mcp-thing', 'pypi:mcp-thing'],
  ['stdio: python3 -m acme_files', 'module:acme_files'],
  ['stdio: node ~/my tools/weather.js', 'script:~/my tools/weather.js'],
  ['stdio: node ./@acme/x', 'script:./@acme/x'],
  ['stdio: acme-files', 'program:acme-files'],
  ['stdio: /Applications/My App.app/x', 'program:/Applications/My App.app/x'],
  ['stdio: (withheld)', 'my-server ((withheld))'],
  ['stdio: npx mcp-remote@1 to https://mcp.acme.example', 'https://mcp.acme.example'],
  ['stdio: npx @smithery/cli to smithery:@acme/files', 'smithery:@acme/files'],
  ['http: https://mcp.acme.example', 'https://mcp.acme.example'],
  ['declared somewhere', 'my-server (unknown)'],
])('an MCP server outside the catalog with the evidence %s is named %s', (evidence, name) => {
  expect(appGroupOf(server(evidence))).toMatchObject({ name, catalog_id: null });
});

test.each([
  [
    'the same package under two names',
    true,
    server('stdio: npx a-mcp@1'),
    server('stdio: npx a-mcp@2', { name: 'x' }),
  ],
  ['two packages under one name', false, server('stdio: npx a-mcp'), server('stdio: npx b-mcp')],
  ['one name in two registries', false, server('stdio: npx a-mcp'), server('stdio: uvx a-mcp')],
  [
    'two repositories',
    false,
    server('stdio: npx github:evil/x'),
    server('stdio: npx github:other/y'),
  ],
  [
    'one catalog id, two names',
    true,
    app({ kind: 'cli', catalog_id: 'claude-code' }),
    app({ kind: 'cli', catalog_id: 'claude-code', name: 'claude' }),
  ],
  [
    'one id of two kinds',
    false,
    app({ kind: 'cli', catalog_id: 'cursor' }),
    app({ kind: 'desktop_app', catalog_id: 'cursor' }),
  ],
  [
    'two skills of one program',
    false,
    app({ kind: 'skill', catalog_id: 'claude-code', name: 'a' }),
    app({ kind: 'skill', catalog_id: 'claude-code', name: 'b' }),
  ],
  [
    'a file of one name',
    true,
    app({ kind: 'instruction_file', name: 'CLAUDE.md' }),
    app({ kind: 'instruction_file', name: 'CLAUDE.md', evidence: ['x'] }),
  ],
])('%s: in one group: %s', (_what, same, a, b) => {
  expect(appGroupOf(a).identity === appGroupOf(b).identity).toBe(same);
});

test("a server in the catalog has the catalog's name, not its configured one", () => {
  expect(appGroupOf(app({ catalog_id: 'mcp-git', name: 'github' })).name).toBe('Git');
  expect(appGroupOf(app({ catalog_id: 'mcp-of-later', name: 'github' })).name).toBe('mcp-of-later');
});
