import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairShare, limitNotRead, keyOfApp, limitApps } from './report-limit.ts';
import { json, makeRoot } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

test('20,000 hooks in one file hide no other hook, kind or user', async () => {
  const flood = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [`Event${i}`, [{ command: 'x' }]]),
  );
  await using root = await makeRoot({
    '/home/ada/.cursor/hooks.json': JSON.stringify({ hooks: flood }),
    '/home/ada/.claude/settings.json': json({ hooks: { Stop: [{ command: 'y' }] } }),
    '/home/bob/.cursor/hooks.json': json({ hooks: { stop: [{ command: 'z' }] } }),
    '/home/ada/.mcp.json': json({ mcpServers: { files: { command: 'a' } } }),
    '/home/bob/p/CLAUDE.md': 'Use tabs.',
  });
  const homes = ['ada', 'bob'].map((user) => ({ user, dir: `/home/${user}` }));
  const { apps, problems, notRead } = await scanInventory({
    homes,
    root: root.dir,
    platform: 'linux',
  });
  expect(apps.length).toBe(5000);
  const others = apps.filter((app) => !app.name.startsWith('Event'));
  expect(others.map((app) => [app.kind, app.name, app.user])).toEqual([
    ['hook', 'Stop', 'ada'],
    ['hook', 'stop', 'bob'],
    ['instruction_file', 'CLAUDE.md', 'bob'],
    ['mcp_server', 'files', 'ada'],
  ]);
  expect(problems).toEqual(['hook: 20002 found, 4998 reported']);
  const path = '/home/ada/.cursor/hooks.json';
  expect(notRead).toEqual([{ kind: 'hook', path, reason: 'the report was full' }]);
});

const app = (kind: 'cli' | 'hook' | 'skill', catalogId: string, i: number, source?: string) => ({
  app: {
    kind,
    name: `${i}`,
    catalog_id: catalogId,
    version: null,
    path: `/${catalogId}`,
    user: 'ada',
    confidence: 1,
    evidence: [],
    risk_flags: [],
  },
  source: source ?? `/${catalogId}`,
});

test('two floods share the space that small kinds leave, each fairly among its tools', () => {
  const found = [
    ...Array.from({ length: 100 }, (_, i) => app('cli', i < 99 ? 'a' : 'b', i)),
    ...Array.from({ length: 100 }, (_, i) => app('hook', 'c', i)),
    app('skill', 'd', 0),
  ];
  const { apps, problems } = limitApps(found, { limit: 21 });
  const counts = Object.fromEntries(
    [...Map.groupBy(apps, (one) => one.catalog_id)].map(([id, all]) => [id, all.length]),
  );
  expect(counts).toEqual({ a: 9, b: 1, c: 10, d: 1 });
  expect(problems).toEqual(['cli: 100 found, 10 reported', 'hook: 100 found, 10 reported']);
});

test('a flood in one file hides no other file, nor apps of the file that were reported before', () => {
  const flood = Array.from({ length: 100 }, (_, i) => app('cli', `id-${i}`, i, '/flooded'));
  const known = app('cli', 'known', 0, '/flooded');
  const other = app('cli', 'other', 0, '/other');
  const found = [...flood, known, other];
  const names = (before: ReadonlySet<string>) => {
    const { apps, excluded } = limitApps(found, { limit: 10, before });
    expect(excluded).toEqual([{ kind: 'cli', path: '/flooded', reason: 'the report was full' }]);
    expect(apps).toHaveLength(10);
    return apps.map(({ catalog_id }) => catalog_id).filter((id) => !id?.startsWith('id-'));
  };
  expect(names(new Set())).toEqual(['other']);
  expect(names(new Set([keyOfApp(known.app)]))).toEqual(['known', 'other']);
});

test('too many files to list are reported as a whole', () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ kind: null, path: `/${i}`, reason: 'x' }));
  expect(limitNotRead([...files(2), ...files(2)])).toEqual(files(2));
  expect(limitNotRead(files(1001))).toEqual([
    { kind: null, path: null, reason: 'more than 1000 files were not read' },
  ]);
});

test('exactly as many items as the limit allows are kept, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5))), fc.nat(40), (items, limit) => {
      const kept = fairShare(items, limit, [([a]) => `${a}`, ([, b]) => `${b}`]);
      expect(kept.length).toBe(Math.min(limit, items.length));
      expect(kept).toEqual(items.filter((item) => kept.includes(item)));
      const groups = new Set(items.map(([a]) => a)).size;
      expect(new Set(kept.map(([a]) => a)).size).toBe(Math.min(groups, limit));
    }),
  );
});
