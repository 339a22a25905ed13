import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { onSmallDisk } from '#test/support/small-disk.ts';
import { openCredentials } from '../identity/credentials.ts';
import { openState } from '../state/state.ts';
import { startTestControlPlane, type TestControlPlane } from '../testing/control-plane.ts';
import { issuedFor } from '../testing/issued.ts';
import { createManagedTestComputer, type TestComputer } from '../testing/test-computer.ts';
import { runChecks } from './testing/run-checks.ts';

let plane: TestControlPlane;
let place: TestComputer;
const processes: ChildProcess[] = [];
beforeEach(async () => {
  plane = await startTestControlPlane();
  place = createManagedTestComputer(plane);
});
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  await place[Symbol.asyncDispose]();
  await plane.stop();
});

const program = new URL('../../headless.ts', import.meta.url).pathname;
const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: place.dir,
  MANAGED_PREFERENCES: place.preferences,
  AGENT_STATE_DIR: place.stateDir,
  AGENT_TRUSTED_ROOTS: join(place.dir, 'roots.pem'),
  AGENT_HARDWARE_ID: 'test-machine-0001',
  AGENT_PROXY_PORT: 'off',
  AGENT_SYSTEM_TRUST: 'off',
});
const enrolled = (): Promise<void> => vi.waitFor(() => expect(plane.channels()).toBe(1));
const check = async (id: string, ...more: [Parameters<typeof runChecks>[1]?]) =>
  (await runChecks(place, ...more)).get(id);

describe('with a working agent', () => {
  test("the report of a running agent replaces the doctor's own checks", async () => {
    plane.config = { ...plane.config, version: 3 };
    const agent = await place.start();
    await vi.waitFor(() => expect(agent.status().connected).toBe(true));
    await vi.waitFor(async () =>
      expect((await check('configuration'))?.seen).toBe(
        'Version 3 of the configuration is in force, the one that the control plane wants.',
      ),
    );
    const checks = await runChecks(place);
    expect(checks.get('agent')?.seen).toMatch(
      new RegExp(`^The agent runs: process ${process.pid}, version`),
    );
    expect(checks.get('identity')?.seen).toMatch(
      /^This computer is enrolled as dev_1; the control plane accepts its certificate/,
    );
    for (const id of ['agent', 'identity', 'configuration', 'channel', 'capture', 'trust-programs'])
      expect([id, checks.get(id)?.state]).toEqual([id, 'ok']);
  });

  test('the checks leave no trace at the control plane', async () => {
    const agent = await place.start();
    await enrolled();
    await agent.stop();
    // A heartbeat may still be in progress.
    await vi.waitFor(() => expect(plane.connections()).toBe(0));
    const [beats, { getConfig }] = [plane.heartbeats.length, { ...plane.calls }];
    await runChecks(place);
    // The request without a certificate, which is refused.
    expect([plane.heartbeats.length, plane.calls.getConfig - getConfig]).toEqual([beats, 1]);
  });

  test('the page contains no API key, and nothing in the state folder changes', async () => {
    const agent = await place.start();
    await enrolled();
    await agent.stop();
    const before = snapshot(place.stateDir);
    const page = await promisify(execFile)(process.execPath, [program, 'doctor'], {
      env: environment(),
    }).catch((error: { code: number; stdout: string }) => error);
    expect(page).toMatchObject({ code: 1 });
    expect(page.stdout).toContain('the API key svc_sk_test_…');
    expect(page.stdout).not.toContain(plane.apiKey);
    expect(snapshot(place.stateDir)).toEqual(before);
  });
});

const snapshot = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path} ${readFileSync(path, 'base64')}`);

describe('the managed preferences', () => {
  const write = (text: string): void => writeFileSync(place.preferences, text);
  test.each<[string, () => void, RegExp, RegExp]>([
    [
      'are missing',
      () => rmSync(place.preferences),
      /^There is no file .*managed\.plist/,
      /^(Write|Assign)/,
    ],
    [
      'are at the user level',
      () => {
        const own = join(dirname(place.preferences), 'ada', 'managed.plist');
        mkdirSync(dirname(own));
        writeFileSync(own, readFileSync(place.preferences));
        rmSync(place.preferences);
      },
      /^The profile is at the user level \(.*ada\/managed\.plist\)/,
      /^Assign the profile to the device/,
    ],
    [
      'cannot be read',
      () => {
        rmSync(place.preferences);
        mkdirSync(place.preferences);
      },
      /cannot be read: EISDIR\.$/,
      /readable/,
    ],
    ['are cut off', () => write('<plist><dict><key>api'), /not a well-formed XML/, /cut off/],
    [
      'have a key of the wrong type',
      () => place.manage({ api_url: 'https://a.test', api_key: 7 }),
      /api_key: expected .*found a number\.$/,
      /^Correct the key/,
    ],
  ])('%s', async (_, fault, seen, advice) => {
    fault();
    expect(await check('managed-preferences')).toMatchObject({
      state: 'problem',
      seen: expect.stringMatching(seen) as string,
      advice: { who: 'IT', what: expect.stringMatching(advice) as string },
    });
  });

  test('leave capture off if its keys are invalid', async () => {
    place.manage({ api_url: plane.url(), api_key: plane.apiKey, intercept_hosts: 'claude.ai' });
    const checks = await runChecks(place);
    expect(checks.get('managed-preferences')?.state).toBe('ok');
    expect(checks.get('managed-preferences-keys')?.seen).toMatch(
      /^Capture stays off, .*: intercept_hosts: expected an array of strings, found a string\.$/,
    );
  });
});

describe('the state folder', () => {
  test('does not exist without an agent', async () => {
    const checks = await runChecks(place);
    expect(checks.get('agent')).toMatchObject({ state: 'problem', advice: { who: 'user' } });
    expect(checks.get('state-folder')?.state).toBe('not checked');
    const { state, seen } = checks.get('spool') ?? {};
    expect([state, seen]).toEqual([
      'not checked',
      `No report waits to be sent, because there is no folder ${place.stateDir} yet.`,
    ]);
    for (const id of ['capture', 'trust-node'])
      expect([id, checks.get(id)?.state]).toEqual([id, 'not checked']);
  });

  test('is a file', async () => {
    writeFileSync(place.stateDir, '');
    for (const id of ['state-folder', 'spool'])
      expect((await check(id))?.seen).toMatch(/is not a folder\.$/);
  });

  test('is on a full disk', { tags: ['small-disks'] }, async () => {
    mkdirSync(place.stateDir);
    const fill = `head -c 2000000 /dev/zero >'${place.stateDir}/filler' 2>/dev/null; exec "$@"`;
    const [command = '', ...args] = onSmallDisk(place.stateDir, 1);
    const ran = await promisify(execFile)(
      command,
      [...args, 'sh', '-c', fill, 'sh', process.execPath, program, 'doctor', '--json'],
      { env: environment() },
    ).catch((error: { code: number; stdout: string }) => error);
    const { checks } = JSON.parse(ran.stdout) as { checks: { id: string; seen: string }[] };
    expect(checks.find(({ id }) => id === 'disk')?.seen).toMatch(
      /^The disk of .* is full: reports are lost when there is no space\.$/,
    );
  });

  test('contains waiting reports and some refused ones', async () => {
    const spool = join(place.stateDir, 'spool');
    mkdirSync(spool, { recursive: true });
    writeFileSync(join(spool, 'one.rejected'), '{}\n');
    expect((await check('spool'))?.seen).toMatch(/did not accept 1 batch/);
    writeFileSync(join(spool, 'open.ndjson'), '{}\n');
    const threeHoursAgo = Date.now() / 1000 - 3 * 3600;
    utimesSync(join(spool, 'open.ndjson'), threeHoursAgo, threeHoursAgo);
    openState(place.stateDir).update({ dropped: 12 });
    expect((await check('spool'))?.seen).toBe(
      'Reports have waited for 3 hours (1 kB). 12 reports were discarded since this computer enrolled.',
    );
  });

  test('belongs to an agent that hangs', async () => {
    const child = spawn(process.execPath, [program], { env: environment(), stdio: 'ignore' });
    processes.push(child);
    await enrolled();
    child.kill('SIGSTOP');
    expect(await check('agent')).toMatchObject({
      state: 'problem',
      seen: `The agent (process ${child.pid}) does not answer.`,
    });
  });
});

test(
  'in a private state folder of another user, no check has the state ok',
  { tags: ['other-user'] },
  async () => {
    mkdirSync(place.stateDir, { mode: 0o700 });
    chmodSync(place.dir, 0o755);
    const unprivilegedUser = 65_534;
    const ran = await promisify(execFile)(process.execPath, [program, 'doctor', '--json'], {
      env: environment(),
      uid: unprivilegedUser,
      gid: unprivilegedUser,
    }).catch((error: { stdout: string }) => error);
    const { checks } = JSON.parse(ran.stdout) as { checks: { id: string; state: string }[] };
    const states = Object.fromEntries(checks.map(({ id, state }) => [id, state]));
    for (const id of ['state-folder', 'agent', 'capture', 'door-transparent', 'trust', 'flows'])
      expect([id, states[id]]).toEqual([id, 'not checked']);
  },
);

describe('the identity', () => {
  /** Creates certificates as if the control plane had issued them at this time. */
  async function enrolledAt(now: number, hardware_id = 'test-machine-0001'): Promise<void> {
    mkdirSync(place.stateDir);
    const credentials = openCredentials(place.stateDir, () => undefined);
    credentials.store(await issuedFor(credentials, { config: plane.config, now }));
    openState(place.stateDir).update({ device_id: 'dev_1', hardware_id, config: plane.config });
  }
  const day = 86_400_000;

  test.each<[string, () => Promise<void>, RegExp]>([
    ['has expired', () => enrolledAt(Date.now() - 40 * day), /^The identity of dev_1 expired on/],
    [
      'is of another control plane',
      () => enrolledAt(Date.now()),
      /^The control plane refuses dev_1: unknown device certificate\.$/,
    ],
    [
      'is that of another computer',
      () => enrolledAt(Date.now(), 'machine-of-the-image'),
      /^The state folder was copied from another computer/,
    ],
    [
      'is damaged',
      async () => {
        await enrolledAt(Date.now());
        writeFileSync(join(place.stateDir, 'identity.pem'), 'x');
      },
      /is damaged \(identity\.pem\)\.$/,
    ],
  ])('%s', async (_, fault, seen) => {
    await fault();
    expect(await check('identity')).toMatchObject({
      state: 'problem',
      seen: expect.stringMatching(seen) as string,
    });
  });

  test.each<[string, (to: TestControlPlane) => void, RegExp, string]>([
    [
      'waits for approval',
      (to) => (to.retryAfter = 60),
      /^This computer waits for approval/,
      'admin',
    ],
    [
      'is not given out for a key that was revoked',
      (to) => (to.apiKey = 'svc_sk_another'),
      /^This computer cannot enroll: 401 unauthorized: unknown API key/,
      'IT',
    ],
    [
      'is not given out to a device that was revoked',
      (to) => (to.refuse = () => ({ status: 403, message: 'this device is revoked' })),
      /^This computer cannot enroll: 403 .*revoked/,
      'admin',
    ],
  ])('%s', async (_, change, seen, who) => {
    change(plane);
    await place.start();
    await vi.waitFor(async () =>
      expect(await check('identity')).toMatchObject({
        state: 'problem',
        seen: expect.stringMatching(seen) as string,
        advice: { who },
      }),
    );
  });
});

test('another program uses the port of the proxy', { tags: ['lsof'] }, async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { AGENT_PROXY_PORT: String(port) };
  expect((await check('door-explicit', { env }))?.seen).toMatch(
    new RegExp(`cannot listen on port ${port}: \\S+ \\(process ${process.pid}\\) uses it\\.$`),
  );
  server.close();
});

describe('programs that are started here', () => {
  test('have a file of authorities without the root, or no file', async () => {
    const intercept_hosts = ['api.openai.com'];
    plane.config = { ...plane.config, capture_enabled: true, intercept_hosts };
    await place.start();
    await enrolled();
    const other = join(place.dir, 'other.pem');
    const shell = { trust: { NODE_EXTRA_CA_CERTS: other } };
    expect((await check('trust-node', { shell }))?.seen).toMatch(/holds no certificate or cannot/);
    writeFileSync(other, (await createRoot({ name: 'Other', now: Date.now() })).certificatePem);
    expect((await check('trust-node', { shell }))?.seen).toMatch(/lacks the tenant's root "Test/);
  });

  test('are redirected to a gateway, or accept any certificate', async () => {
    const redirections = {
      OPENAI_BASE_URL: 'http://127.0.0.1:4000/v1',
      ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
    };
    const trust = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const checks = await runChecks(place, { shell: { redirections, trust } });
    expect(checks.get('ai-gateways')?.seen).toMatch(
      /connect to 127\.0\.0\.1:4000 \(OPENAI_BASE_URL\)/,
    );
    expect(checks.get('trust-node')?.state).toBe('problem');
  });
});
