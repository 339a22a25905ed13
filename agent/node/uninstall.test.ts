import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { createIsolatedSystem } from './system-trust/testing/isolated-system.ts';

const agent = new URL('../headless.ts', import.meta.url).pathname;
const setRoots = new URL('./system-trust/testing/set-roots.ts', import.meta.url).pathname;

const processes: ChildProcess[] = [];
let dir: string;
let env: Record<string, string>;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'uninstall-'));
  env = {
    AGENT_STATE_DIR: join(dir, 'state'),
    MANAGED_PREFERENCES: join(dir, 'managed.plist'),
    AGENT_HARDWARE_ID: 'test-machine-0001',
    AGENT_SYSTEM_TRUST: 'off',
    HOME: dir,
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  };
});
afterEach(async () => {
  for (const child of processes.splice(0)) {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
  rmSync(dir, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [agent, ...args], { env }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => error,
  );

test('the state is kept for a later installation, and removed with --purge', async () => {
  mkdirSync(join(dir, 'state'));
  writeFileSync(join(dir, 'state/device.json'), '{}');
  expect(await run('uninstall')).toMatchObject({ code: 0 });
  expect(existsSync(join(dir, 'state/device.json'))).toBe(true);
  const { code, stderr } = await run('uninstall', '--purge');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/removed from .*: device\.json\n.* removed .*\/state\n$/),
  ]);
  expect(existsSync(join(dir, 'state'))).toBe(false);
  expect(await run('uninstall', '--purge')).toMatchObject({ code: 0 });
});

test('nothing is removed from a running agent', async () => {
  const child = spawn(process.execPath, [agent], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  processes.push(child);
  let log = '';
  // Read to its end, because an agent without a reader of its log would end by itself.
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await expect.poll(() => log).toContain('agent started');
  expect(await run('uninstall', '--purge')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`the agent still runs (process ${child.pid}): stop it first`),
  });
  expect(existsSync(join(dir, 'state/agent.lock'))).toBe(true);
});

describe('a purge', () => {
  const state = (...path: string[]): string => join(dir, 'state', ...path);
  const purge = () => run('uninstall', '--purge');
  const oneLine = (text: string) =>
    expect.stringMatching(new RegExp(`^[^\\n]*${text}[^\\n]*\\n$`)) as string;
  beforeEach(() => mkdirSync(state()));

  /** Creates the files of an enrolled agent. */
  function fillState(): void {
    const names = [
      'device.json',
      'sealed-key.json',
      'identity.key.pem',
      'identity.key.pem.new',
      'root.pem.corrupt',
    ];
    for (const name of names) writeFileSync(state(name), '{}');
    const segment = '000000000001-0b4a1a3e-1111-4222-8333-444455556666';
    mkdirSync(state('spool'));
    writeFileSync(state('spool', `${segment}.ndjson`), '');
    writeFileSync(state('spool', `${segment}.rejected`), '');
    writeFileSync(state('spool', 'open.ndjson'), '');
    mkdirSync(state('electron/Cache'), { recursive: true });
    writeFileSync(
      state('agent.lock.0b4a1a3e-1111-4222-8333-444455556666'),
      '{"pid":1,"started":"0"}',
    );
    writeFileSync(state('agent.lock'), '{"pid":1,"started":"0"}');
  }

  test('removes all files that the agent has created', async () => {
    fillState();
    expect(await purge()).toMatchObject({ code: 0 });
    expect(existsSync(state())).toBe(false);
  });

  test('keeps files that the agent has not created, and lists them', async () => {
    fillState();
    writeFileSync(state('thesis.txt'), '');
    writeFileSync(state('spool/thread.txt'), '');
    const { code, stderr } = await purge();
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /left in .*, because the agent did not create it: spool\/thread\.txt, thesis\.txt\n/,
    );
    expect(readdirSync(state()).sort()).toEqual(['spool', 'thesis.txt']);
  });

  test.each<[string, () => void]>([
    ['files of others', () => writeFileSync(state('thesis.txt'), '')],
    [
      'a folder of the same name as one of its own',
      () => {
        mkdirSync(state('electron'));
        writeFileSync(state('electron/index.ts'), '');
      },
    ],
    [
      'files of others beside a folder named like one of its own',
      () => {
        mkdirSync(state('spool'));
        mkdirSync(state('log'));
      },
    ],
  ])('refuses a folder with %s', async (_, fill) => {
    fill();
    const before = readdirSync(state(), { recursive: true });
    expect(await purge()).toMatchObject({
      code: 2,
      stderr: oneLine('does not look like a state folder'),
    });
    expect(readdirSync(state(), { recursive: true })).toEqual(before);
  });

  test.each([
    ['/', () => '/'],
    ['the home', () => dir],
    ['the folder of the home', () => join(dir, '..')],
    ['a folder of the system', () => '/var'],
  ])('refuses %s', async (_, folder) => {
    fillState();
    env.AGENT_STATE_DIR = folder();
    expect(await purge()).toMatchObject({ code: 2, stderr: oneLine('is not a state folder') });
  });

  test('follows a symbolic link to the folder, and reports that it keeps the link', async () => {
    fillState();
    env.AGENT_STATE_DIR = join(dir, 'link');
    symlinkSync(state(), env.AGENT_STATE_DIR);
    const { code, stderr } = await purge();
    expect([code, existsSync(state())]).toEqual([0, false]);
    expect(stderr).toContain(`left the symbolic link ${env.AGENT_STATE_DIR}`);
  });

  test('refuses a link to a home, and a file', async () => {
    symlinkSync(dir, state('home'));
    env.AGENT_STATE_DIR = state('home');
    expect(await purge()).toMatchObject({ code: 2, stderr: oneLine('is not a state folder') });
    writeFileSync(state('file'), '');
    env.AGENT_STATE_DIR = state('file');
    expect(await purge()).toMatchObject({ code: 2, stderr: oneLine('is not a folder') });
  });

  test('keeps the target of a symbolic link in the folder', async () => {
    fillState();
    rmSync(state('electron'), { recursive: true });
    mkdirSync(join(dir, 'other'));
    writeFileSync(join(dir, 'other/x'), '');
    symlinkSync(join(dir, 'other'), state('electron'));
    expect(await purge()).toMatchObject({ code: 0 });
    expect(readdirSync(state())).toEqual(['electron']);
    expect(existsSync(join(dir, 'other/x'))).toBe(true);
  });
});

describe('run by another user', { tags: ['other-user'] }, () => {
  const unprivilegedUser = 65_534;
  const runAsNobody = (...args: string[]) =>
    promisify(execFile)(process.execPath, [agent, ...args], {
      env,
      uid: unprivilegedUser,
      gid: unprivilegedUser,
    }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: { code: number; stderr: string }) => error,
    );
  const oneLine = expect.stringMatching(/^[^\n]*run with sudo\n$/) as string;
  beforeEach(() => chmodSync(dir, 0o755));

  test.each([[['uninstall']], [['uninstall', '--purge']]])(
    '%j refuses a private state folder of root',
    async (args) => {
      mkdirSync(join(dir, 'state'), { mode: 0o700 });
      writeFileSync(join(dir, 'state/agent.lock'), '');
      expect(await runAsNobody(...args)).toMatchObject({ code: 2, stderr: oneLine });
      expect(existsSync(join(dir, 'state/agent.lock'))).toBe(true);
    },
  );

  test('does not claim that there is nothing if it cannot look', async () => {
    delete env.AGENT_STATE_DIR;
    delete env.AGENT_SYSTEM_TRUST;
    expect(await runAsNobody('uninstall')).toMatchObject({ code: 2, stderr: oneLine });
  });

  test("removes that user's own folder, and root keeps it", async () => {
    mkdirSync(join(dir, 'state'));
    chownSync(join(dir, 'state'), unprivilegedUser, unprivilegedUser);
    expect(await run('uninstall', '--purge')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`belongs to user ${unprivilegedUser}`),
    });
    chownSync(dir, unprivilegedUser, unprivilegedUser);
    expect(await runAsNobody('uninstall', '--purge')).toMatchObject({ code: 0 });
    expect(existsSync(join(dir, 'state'))).toBe(false);
  });
});

test('an unknown option is refused before anything is removed', async () => {
  expect(await run('uninstall', '--all')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('usage: uninstall [--purge]'),
  });
});

test(
  'the system trusts the same roots as before the agent was installed',
  { tags: ['mounts', 'update-ca-certificates'] },
  async () => {
    const system = createIsolatedSystem();
    const root = join(dir, 'root.pem');
    writeFileSync(root, (await createRoot({ name: 'Tenant', now: Date.now() })).certificatePem);
    const list = 'find /etc/ssl /etc/profile.d /usr/local/share/ca-certificates -not -type d';
    const node = `'${process.execPath}'`;
    const out = await system.sh(
      // Run once before, because the system's own list may be older than its certificates.
      `update-ca-certificates --fresh >/dev/null 2>&1
${list} | sort >'${dir}/before'; cat /etc/ssl/certs/ca-certificates.crt | sort >>'${dir}/before'
${node} '${setRoots}' '${root}' >/dev/null
ls /usr/local/share/ca-certificates /etc/profile.d
${node} '${agent}' uninstall --purge >/dev/null 2>&1
${list} | sort >'${dir}/after'; cat /etc/ssl/certs/ca-certificates.crt | sort >>'${dir}/after'
cmp '${dir}/before' '${dir}/after' && echo same`,
      { ...env, AGENT_SYSTEM_TRUST: 'on' },
    );
    system.remove();
    expect(out).toMatch(/gatehouse\.sh\n[^]*gatehouse-\w+\.crt\nsame\n$/);
  },
);
