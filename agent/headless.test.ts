import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onSmallDisk } from '#test/support/small-disk.ts';
import { startTestControlPlane, type TestControlPlane } from './node/testing/control-plane.ts';

let dir: string;
let plane: TestControlPlane;
const processes: ChildProcess[] = [];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'headless-'));
  plane = await startTestControlPlane();
  writeFileSync(join(dir, 'roots.pem'), plane.root.certificatePem);
  writeFileSync(join(dir, 'managed.plist'), build({ api_url: plane.url(), api_key: plane.apiKey }));
});
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  await plane.stop();
  rmSync(dir, { recursive: true, force: true });
});

function startAgent(env: Record<string, string> = {}, prefix: readonly string[] = []) {
  const script = new URL('./headless.ts', import.meta.url).pathname;
  const [command, ...args] = [...prefix, process.execPath, script];
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      MANAGED_PREFERENCES: join(dir, 'managed.plist'),
      AGENT_STATE_DIR: join(dir, 'state'),
      AGENT_TRUSTED_ROOTS: join(dir, 'roots.pem'),
      AGENT_HARDWARE_ID: 'test-machine-0001',
      AGENT_SYSTEM_TRUST: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.push(child);
  const output = { text: '' };
  child.stderr.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  return { child, output, exit: once(child, 'close') as Promise<[number | null, string | null]> };
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { interval: 20 });

test.each(['SIGINT', 'SIGTERM'] as const)(
  'enrolls, observes, and %s ends it cleanly',
  async (name) => {
    const { child, output, exit } = startAgent();
    await until(() => expect(plane.heartbeats.length).toBeGreaterThan(0));
    await until(() => expect(plane.channels()).toBe(1));
    child.kill(name);
    expect(await exit).toEqual([0, null]);
    expect(output.text).toMatch(/info enrolled as dev_1\n/);
    expect(output.text).toMatch(/info agent stopped\n$/);
    expect(output.text).not.toContain(plane.apiKey);
    expect(existsSync(join(dir, 'state/agent.lock'))).toBe(false);
    expect(existsSync(join(dir, 'state/spool/open.ndjson'))).toBe(false);
  },
);

test('an invalid variable ends it with one line', async () => {
  const { output, exit } = startAgent({ AGENT_HEARTBEAT_SECONDS: 'often' });
  expect(await exit).toEqual([1, null]);
  expect(output.text).toMatch(/^[^\n]*error AGENT_HEARTBEAT_SECONDS: [^\n]*\n$/);
});

test('a log that no program reads any more, as after journald was stopped, does not end it', async () => {
  const { child, exit } = startAgent();
  await until(() => expect(plane.channels()).toBe(1));
  child.stderr.destroy();
  // The lines that the agent logs while it stops are lost.
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test(
  'on a full disk it ends with one line and leaves no file behind',
  { tags: ['small-disks'] },
  async () => {
    const state = join(dir, 'state');
    mkdirSync(state);
    const script = 'head -c 2000000 /dev/zero >"$1/filler"; shift; "$@"; ls "$AGENT_STATE_DIR"';
    const { output, exit } = startAgent({}, [
      ...onSmallDisk(state, 1),
      'sh',
      '-c',
      script,
      'sh',
      state,
    ]);
    await exit;
    expect(output.text).toContain(` error state folder ${state} cannot be used: ENOSPC\n`);
    expect(output.text).toMatch(/\nfiller\n$/);
    expect(output.text).not.toContain('agent.lock');
  },
);

test('a second agent on the folder ends with one line, and the first continues', async () => {
  const first = startAgent();
  await until(() => expect(plane.channels()).toBe(1));
  const second = startAgent();
  expect(await second.exit).toEqual([1, null]);
  expect(second.output.text).toMatch(
    new RegExp(`^[^\\n]*error another agent \\(pid ${first.child.pid}\\) uses [^\\n]*\\n$`),
  );
  expect(first.child.exitCode).toBeNull();
});

test('after it was killed and restarted, it is the same device', async () => {
  const first = startAgent();
  await until(() => expect(plane.channels()).toBe(1));
  first.child.kill('SIGKILL');
  await first.exit;
  await until(() => expect(plane.channels()).toBe(0));
  const identity = readFileSync(join(dir, 'state/identity.pem'), 'utf8');
  startAgent();
  await until(() => expect(plane.channels()).toBe(1));
  expect(readFileSync(join(dir, 'state/identity.pem'), 'utf8')).toBe(identity);
  expect(plane.calls.enroll).toBe(1);
});
