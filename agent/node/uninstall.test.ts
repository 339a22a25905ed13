import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { ownSystem } from './system-trust/testing/own-system.ts';

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

test('the state stays for a later installation, and goes with --purge', async () => {
  mkdirSync(join(dir, 'state'));
  writeFileSync(join(dir, 'state/device.json'), '{}');
  expect(await run('uninstall')).toMatchObject({ code: 0 });
  expect(existsSync(join(dir, 'state/device.json'))).toBe(true);
  const { code, stderr } = await run('uninstall', '--purge');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/state is gone\n$/)]);
  expect(existsSync(join(dir, 'state'))).toBe(false);
  expect(await run('uninstall', '--purge')).toMatchObject({ code: 0 });
});

test('nothing is taken from an agent that runs', async () => {
  const child = spawn(process.execPath, [agent], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  processes.push(child);
  let log = '';
  // Read to its end: an agent whose log goes nowhere would end by itself.
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await expect.poll(() => log).toContain('agent started');
  expect(await run('uninstall', '--purge')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`the agent still runs (process ${child.pid}): stop it first`),
  });
  expect(existsSync(join(dir, 'state/agent.lock'))).toBe(true);
});

test('what is not an option is refused before anything goes', async () => {
  expect(await run('uninstall', '--all')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('usage: uninstall [--purge]'),
  });
});

test(
  'the system trusts what it did before the agent came',
  { tags: ['mounts', 'update-ca-certificates'] },
  async () => {
    const system = ownSystem();
    const root = join(dir, 'root.pem');
    writeFileSync(root, (await createRoot({ name: 'Tenant', now: Date.now() })).certificatePem);
    const list = 'find /etc/ssl /etc/profile.d /usr/local/share/ca-certificates -not -type d';
    const node = `'${process.execPath}'`;
    const out = await system.sh(
      // Once before, as the system's own list may be older than its certificates.
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
