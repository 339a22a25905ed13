import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findTpmAccess, groupForRoot } from './tpm-access.ts';
import { runTpmTool } from './tpm-tool.ts';

test('a TCTI is used as it is', () => {
  expect(findTpmAccess('swtpm:port=1')).toEqual({ access: { tcti: 'swtpm:port=1' } });
});

test('a device that this user can open is used', () => {
  expect(findTpmAccess('/dev/null')).toEqual({ access: { tcti: 'device:/dev/null' } });
});

test('a device that does not exist is absent', () => {
  expect(findTpmAccess('/dev/no-such-tpm')).toEqual({
    obstacle: {
      kind: 'absent',
      reason: 'this computer has no TPM 2.0: there is no /dev/no-such-tpm',
    },
  });
});

test.each([
  ['root, for user and group tss (Debian 12)', { gid: 111, mode: 0o020660 }, 0, 111],
  ['root, for user tss only', { gid: 0, mode: 0o020600 }, 0, undefined],
  ['another user', { gid: 111, mode: 0o020660 }, 1000, undefined],
  ['a user of a system without user ids', { gid: 111, mode: 0o020660 }, undefined, undefined],
])('without access, the group for %s', (_, stat, uid, expected) => {
  expect(groupForRoot(stat, uid)).toBe(expected);
});

test('a tool runs as root in another group', { tags: ['root'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpm-access-'));
  const tool = join(folder, 'tool');
  writeFileSync(tool, '#!/bin/sh\necho "$(id -u) $(id -g) $*"\n');
  chmodSync(tool, 0o700);
  const { signal } = new AbortController();
  const access = { tcti: 'device:/dev/tpmrm0', gid: 65_534 };
  const result = await runTpmTool(`${tool} -Q`, { folder, access, timeoutMs: 60_000, signal });
  expect(result).toEqual({
    kind: 'done',
    output: Buffer.from('0 65534 -T device:/dev/tpmrm0 -Q\n'),
  });
  rmSync(folder, { recursive: true });
});
