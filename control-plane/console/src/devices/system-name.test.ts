import { expect, test } from 'vitest';
import { systemName } from './system-name.ts';

test.each([
  ['darwin', '26.1', 'macOS 26.1'],
  ['linux', 'Debian GNU/Linux 12 (bookworm)', 'Debian GNU/Linux 12 (bookworm)'],
  ['linux', '', 'linux'],
])('%s %s is %s', (os, os_version, name) => {
  expect(systemName({ os, os_version })).toBe(name);
});
