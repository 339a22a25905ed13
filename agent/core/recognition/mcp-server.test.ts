import { expect, test } from 'vitest';
import { readMcpServers, type McpServer } from './mcp-server.ts';

const plain: McpServer = {
  name: 'x',
  transport: 'stdio',
  command: '',
  args: [],
  url: undefined,
  env: {},
  headers: {},
  disabled: false,
  trusted: false,
  texts: [],
};

const one = (declared: unknown) =>
  readMcpServers({ servers: { x: declared } }, [['servers']]).map(({ server }) => server);

test.each<[string, unknown, Partial<McpServer>]>([
  [
    'Claude, Cursor',
    { command: 'npx', args: ['-y', 'a'], env: { KEY: 'v', PORT: 80 } },
    { command: 'npx', args: ['-y', 'a'], env: { KEY: 'v', PORT: '80' } },
  ],
  [
    'an address',
    { type: 'http', url: 'https://a.example/mcp', headers: { A: 'b' } },
    { transport: 'http', url: 'https://a.example/mcp', headers: { A: 'b' } },
  ],
  [
    'events',
    { type: 'sse', url: 'https://a.example' },
    { transport: 'sse', url: 'https://a.example' },
  ],
  ['Windsurf', { serverUrl: 'https://a.example' }, { transport: 'http', url: 'https://a.example' }],
  [
    'Gemini',
    { httpUrl: 'https://a.example', trust: true },
    { transport: 'http', url: 'https://a.example', trusted: true },
  ],
  [
    'Zed',
    { source: 'custom', command: { path: 'a', args: ['b'], env: { C: 'd' } } },
    { command: 'a', args: ['b'], env: { C: 'd' } },
  ],
  [
    'OpenCode',
    { type: 'local', command: ['a', 'b'], environment: { C: 'd' }, enabled: false },
    { command: 'a', args: ['b'], env: { C: 'd' }, disabled: true },
  ],
  [
    'Goose',
    { type: 'stdio', cmd: 'a', args: ['b'], envs: { C: 'd' } },
    { command: 'a', args: ['b'], env: { C: 'd' } },
  ],
  [
    'Codex',
    { url: 'https://a.example', http_headers: { A: 'b' } },
    { transport: 'http', url: 'https://a.example', headers: { A: 'b' } },
  ],
  [
    'Cline',
    { command: 'a', disabled: true, alwaysAllow: ['*'] },
    { command: 'a', disabled: true, trusted: true },
  ],
  [
    'older Continue',
    { transport: { type: 'stdio', command: 'a', args: ['b'] } },
    { command: 'a', args: ['b'] },
  ],
])('a server declared for %s', (_, declared, expected) => {
  expect(one(declared)).toEqual([{ ...plain, ...expected }]);
});

test.each([
  ['text', 'npx'],
  ['a list', ['npx']],
  ['null', null],
  ['built in', { type: 'builtin', enabled: true }],
  ['wrong types', { command: 5, url: {}, args: 'x' }],
])('%s is not a server', (_, declared) => {
  expect(one(declared)).toEqual([]);
});

test('servers in a list have their name inside, and servers below a star have the member as scope', () => {
  const document = {
    list: [{ name: 'a', command: 'x' }, { command: 'y' }, 7],
    projects: { '/p': { mcpServers: { b: { command: 'z' } } }, '/q': 5 },
  };
  const found = readMcpServers(document, [['list'], ['projects', '*', 'mcpServers'], ['none']]);
  expect(found.map(({ server, scope }) => [server.name, server.command, scope])).toEqual([
    ['a', 'x', undefined],
    ['server 2', 'y', undefined],
    ['b', 'z', '/p'],
  ]);
});
