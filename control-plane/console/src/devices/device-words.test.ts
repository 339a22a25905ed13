import { expect, test } from 'vitest';
import { systemName, problemText } from './device-words.ts';

test.each([
  ['darwin', '26.1', 'macOS 26.1'],
  ['linux', 'Debian GNU/Linux 12 (bookworm)', 'Debian GNU/Linux 12 (bookworm)'],
  ['linux', '', 'linux'],
])('%s %s is shown as %s', (os, os_version, name) => {
  expect(systemName({ os, os_version })).toBe(name);
});

test.each([
  ['mcp_server: 9017 found, 5000 reported', 'MCP server: 9017 found, 5000 reported'],
  ['new_kind: 9017 found, 5000 reported', 'new_kind: 9017 found, 5000 reported'],
  ['the spool is full', 'the spool is full'],
])('%s: %s', (problem, text) => {
  expect(problemText(problem)).toBe(text);
});
