import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from './build.ts';

const host = new URL('./testing/host.ts', import.meta.url).pathname;
const built = mkdtempSync(join(tmpdir(), 'electron-doctor-'));
beforeAll(() => buildApp('Lookout', built), 60_000);
afterAll(() => rmSync(built, { recursive: true }));

test('the app given `doctor` prints and ends, without a window or an agent', async () => {
  const options = JSON.stringify({ packaged: true, isFirst: true, platform: 'linux' });
  const stateDir = join(built, 'state');
  const args = [host, join(built, 'main.js'), options, 'doctor', '--json', '--no-sandbox'];
  const child = spawn(process.execPath, args, {
    env: { PATH: '/usr/bin:/bin', AGENT_STATE_DIR: stateDir, AGENT_PROXY_PORT: 'off' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const [printed, log] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
  ]);
  expect(JSON.parse(printed)).toMatchObject({ checks: expect.any(Array) as unknown[] });
  expect([await exit, log.includes('agent started'), existsSync(stateDir)]).toEqual([
    1,
    false,
    false,
  ]);
});
