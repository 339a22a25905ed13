import { expect, test } from 'vitest';
import { isRelevantChange, withFoldersAbove } from './interest.ts';

const followed = {
  paths: new Set(['/home/ada/.kiro/settings/mcp.json', '/proc/net/tcp']),
  listed: new Set(['/usr/bin', '/proc']),
};
const all = withFoldersAbove(followed);
const interest = {
  all,
  listed: followed.listed,
  isSearched: (dir: string) => dir === '/home/ada/src',
};

test('folders above a path are included, but not those of the kernel', () => {
  expect([...all].toSorted()).toEqual([
    '/home',
    '/home/ada',
    '/home/ada/.kiro',
    '/home/ada/.kiro/settings',
    '/home/ada/.kiro/settings/mcp.json',
    '/usr',
    '/usr/bin',
  ]);
});

test.each([
  ['a folder on the way to what was missing', '/home/ada/.kiro', { isFolder: true }, true],
  [
    'a file that was read is written',
    '/home/ada/.kiro/settings/mcp.json',
    { isEntry: false },
    true,
  ],
  ['its neighbour', '/home/ada/.kiro/settings/other.json', {}, false],
  ['a new program', '/usr/bin/claude', {}, true],
  ['a program that is written to', '/usr/bin/claude', { isEntry: false }, false],
  ['a configuration in a searched folder', '/home/ada/src/.mcp.json', {}, true],
  ['a virtual environment', '/home/ada/src/.venv', { isFolder: true }, true],
  ['a workspace in it', '/home/ada/src/all.code-workspace', {}, true],
  ['a new folder there', '/home/ada/src/project', { isFolder: true }, true],
  ['a hidden one', '/home/ada/src/.git', { isFolder: true }, false],
  ['a file there', '/home/ada/src/main.ts', {}, false],
  ['what shells write', '/home/ada/.bash_history', {}, false],
])('whether a change is relevant: %s', (_, path, given, expected) => {
  const change = { path, isFolder: false, isEntry: true, ...given };
  expect(isRelevantChange(change, interest)).toBe(expected);
});
