import { expect, test } from 'vitest';
import { changedGroups, type KnownApp } from './changes.ts';

const known = (id: string, more: Partial<KnownApp> = {}): KnownApp => ({
  id,
  group_id: `group of ${id}`,
  version: '1',
  risk_flags: '[]',
  last_seen: 5,
  ...more,
});
const scan = (before: KnownApp[], scanned: KnownApp[], more: object = {}) => [
  ...changedGroups({ known: before, scannedAt: 5, enrolledAgain: false, scanned, ...more }),
];

test.each([
  ['nothing new', [known('a')], [known('a')], []],
  ['a new app', [], [known('a')], ['group of a']],
  ['one that is gone', [known('a')], [], ['group of a']],
  ['one that was gone before', [known('a', { last_seen: 4 })], [], []],
  ['one that is back', [known('a', { last_seen: 4 })], [known('a')], ['group of a']],
  ['another version', [known('a')], [known('a', { version: '2' })], ['group of a']],
  ['other flags', [known('a')], [known('a', { risk_flags: '["x"]' })], ['group of a']],
  ['another group', [known('a')], [known('a', { group_id: 'g' })], ['g', 'group of a']],
])('%s', (_what, before, scanned, groups) => {
  expect(scan(before, scanned).sort()).toEqual(groups);
});

test('after a device enrolled again, possibly with another user group, all of its apps are processed', () => {
  const all = scan([known('a'), known('b', { last_seen: 4 })], [known('a')], {
    enrolledAgain: true,
  });
  expect(all).toEqual(['group of a', 'group of b']);
});
