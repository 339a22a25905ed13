import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { skimJson } from './skim-json.ts';
import { json, makeRoot } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];
const servers = { evil: { command: 'npx', args: ['evil-mcp'] } };
const history = (bytes: number) => 'x"\\{['.repeat(bytes / 5);

async function scanOf(text: string) {
  await using root = await makeRoot({ '/home/ada/.claude.json': text });
  const { apps, notRead } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  return { names: apps.map(({ name }) => name).toSorted(), notRead };
}

test('servers in ~/.claude.json are found whatever the length of its history', async () => {
  const projects = { '/home/ada/p': { history: [history(2e6)], mcpServers: servers } };
  const mcpServers = { top: { command: 'a' } };
  const text = json({ history: history(5e6), projects, mcpServers });
  expect(text.length).toBeGreaterThan(7e6);
  expect(await scanOf(text)).toEqual({ names: ['evil', 'top'], notRead: [] });
});

test.each([
  ['over 64 MiB', () => ' '.repeat(64 * 1024 * 1024 + 1), 'is larger than 65536 KiB, not read'],
  [
    'large and broken',
    () => `{"mcpServers": {}, "history": "${'x'.repeat(2e6)}`,
    'is not valid JSON',
  ],
  [
    'large with more servers than a person has',
    () => json({ mcpServers: Object.fromEntries([['a', { command: 'x'.repeat(2e6) }]]) }),
    'declares too much, not read',
  ],
])('a file that is %s is reported as not read', async (_, text, reason) => {
  const notRead = [{ kind: null, path: '/home/ada/.claude.json', reason }];
  expect(await scanOf(text())).toEqual({ names: [], notRead });
});

test('a file with nine thousand servers before another one is reported as truncated', async () => {
  const filler = Array.from({ length: 9000 }, (_, i) => [`a${i}`, { command: 'a' }]);
  const { names, notRead } = await scanOf(
    json({ mcpServers: { ...Object.fromEntries(filler), ...servers } }),
  );
  expect(names).toHaveLength(5000);
  expect(notRead).toEqual([
    { kind: 'mcp_server', path: '/home/ada/.claude.json', reason: 'the report was full' },
  ]);
});

test('skimming finds the same values as parsing', () => {
  // JSON has no negative zero.
  const value = fc
    .jsonValue({ maxDepth: 3 })
    .map((generated) => JSON.parse(JSON.stringify(generated)) as fc.JsonValue);
  const part = fc.dictionary(fc.constantFrom('a', 'b', 'c"\\', '__proto__'), value);
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b', 'x'), part),
      fc.boolean(),
      (doc, isWide) => {
        const text = JSON.stringify(doc, null, isWide ? 2 : 0).replaceAll('\n', '// }"\n/* ] */');
        const read = skimJson(Buffer.from(text), [['a', 'b'], ['x', '*', 'a'], ['b']], 1e6);
        const found = 'document' in read ? (read.document as typeof doc | undefined) : undefined;
        expect('document' in read).toBe(true);
        expect(found?.['b']).toEqual(doc['b'] && JSON.parse(JSON.stringify(doc['b'])));
        expect(found?.['a']?.['b']).toEqual(doc['a']?.['b']);
        expect(parse(text)).toBeDefined();
      },
    ),
  );
});
