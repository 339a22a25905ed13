import { expect, test } from 'vitest';
import { catalogTable } from './table.ts';

test('entries are listed by kind, in order, with their sources', () => {
  const entries = [
    { kind: 'cli', id: 'b', name: 'Bee', source: 'https://b.example' },
    { kind: 'desktop_app', id: 'c', name: 'Sea', source: 'https://c.example' },
    { kind: 'cli', id: 'aa', name: 'A', source: 'https://a.example' },
  ];
  const places = [
    {
      client: 'Bee',
      format: 'json' as const,
      source: 'https://b.example/mcp',
      homeFiles: ['.bee/mcp.json', '{app-data}/Bee/mcp.json'],
      projectFiles: ['.bee.json'],
      systemFiles: { darwin: ['/Library/Bee/mcp.json'], linux: ['/etc/bee/mcp.json'] },
    },
    { client: 'Sea', format: 'toml' as const, source: 'https://c.example/mcp' },
  ];
  expect(catalogTable(entries, places)).toBe(`cli: 2
aa  A    https://a.example
b   Bee  https://b.example

desktop_app: 1
c  Sea  https://c.example

mcp configurations: 2
Bee  json  https://b.example/mcp
  ~/.bee/mcp.json
  ~/{app-data}/Bee/mcp.json
  PROJECT/.bee.json
  /Library/Bee/mcp.json (macOS)
  /etc/bee/mcp.json (Linux)
Sea  toml  https://c.example/mcp

3 entries, 2 places of MCP configurations`);
});
