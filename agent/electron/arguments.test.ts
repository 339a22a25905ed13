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
const stateDir = join(built, 'state');

async function run(options: object, args: string[]) {
  const all = { packaged: true, isFirst: true, platform: 'linux', ...options };
  const child = spawn(
    process.execPath,
    [host, join(built, 'main.js'), JSON.stringify(all), ...args],
    {
      env: {
        PATH: '/usr/bin:/bin',
        AGENT_STATE_DIR: stateDir,
        AGENT_PROXY_PORT: 'off',
        AGENT_SYSTEM_TRUST: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.stderr?.on('data', (chunk: Buffer) => {
    if (chunk.includes('agent started')) child.kill('SIGTERM');
  });
  const [printed, log] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
  ]);
  return { code: await exit, printed, log, starts: log.includes('agent started') };
}

test('`doctor` prints and ends without a window or an agent', async () => {
  const { code, printed, starts } = await run({}, ['doctor', '--json', '--no-sandbox']);
  expect(JSON.parse(printed)).toMatchObject({ checks: expect.any(Array) as unknown[] });
  expect([code, starts, existsSync(stateDir)]).toEqual([1, false, false]);
});

test.each([[['--help']], [['--no-sandbox', '-h']]])('%j prints the usage', async (args) => {
  expect(await run({}, args)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^usage: \[COMMAND\]/) as string,
    starts: false,
  });
});

test.each([{ packaged: true }, { packaged: false }])(
  'an unknown command starts nothing: %j',
  async (options) => {
    expect(await run(options, ['--no-sandbox', 'uninstal', '--purge'])).toMatchObject({
      code: 2,
      log: expect.stringMatching(/^unknown command: uninstal\n/) as string,
      starts: false,
    });
    expect(existsSync(stateDir)).toBe(false);
  },
);

test.each([
  [{}, []],
  [{ packaged: false }, []],
  [{}, ['--no-sandbox', '--enable-features=WaylandWindowDecorations']],
  [{}, ['-psn_0_123456', '-AppleLanguages', '(en)']],
])('switches of Electron, Chromium and macOS start the app: %j %j', async (options, args) => {
  expect(await run(options, args)).toMatchObject({ starts: true });
});
