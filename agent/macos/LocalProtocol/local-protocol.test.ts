import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Tests the extensions' part of the shared protocol: frames, messages, hosts, PROXY headers. */
test('the Swift package passes its tests', { tags: ['swift'] }, () => {
  const build = mkdtempSync(join(tmpdir(), 'local-protocol-'));
  const args = ['test', '--package-path', import.meta.dirname, '--scratch-path', build];
  const { status, stdout, stderr } = spawnSync('swift', args, { encoding: 'utf8' });
  rmSync(build, { recursive: true });
  expect(status, `${stdout}${stderr}`).toBe(0);
});
