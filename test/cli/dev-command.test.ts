import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { LIVE_PATH } from '#contract/live.ts';
import { packageNames } from '#control-plane/sdk-packages/names.ts';
import { runWatched } from '#dev/watched-program.ts';
import { launchChromium } from '../support/chromium.ts';
import { signIn } from '../support/console.ts';
import { API_KEY, OWNER } from '../support/control-plane.ts';
import { freePort, type Program, root, startProgram } from '../support/processes.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const packages = join(root, 'control-plane/sdk-packages/dist');

describe('npm run dev', () => {
  let folder: string;
  let env: Record<string, string>;
  let program: Program;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'));
    env = {
      DATA_DIR: folder,
      PORT: String(await freePort()),
      DEVICE_PORT: String(await freePort()),
      CONSOLE_PORT: String(await freePort()),
      AGENT_PROXY_PORT: 'off',
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
      BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
    };
    // Older than their sources.
    for (const name of Object.values(packageNames))
      if (existsSync(join(packages, name))) utimesSync(join(packages, name), 0, 0);
    url = `http://localhost:${env.CONSOLE_PORT}`;
    program = startProgram('dev/command.ts', env);
    await program.waitForOutput('Ctrl-C ends everything');
    await program.waitForOutput('enrolled as');
  });
  afterAll(async () => {
    await program?.stop('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  });

  const client = (headers: Record<string, string>) =>
    createClient(contract, { baseUrl: url, headers: () => headers });
  const signedIn = async () => (await client({}).identity.login({ body: OWNER })).token;

  test('serves the console from its sources, at the URL of each page', async () => {
    const response = await fetch(`${url}/incidents`, { headers: { Accept: 'text/html' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(await response.text()).toContain('/@vite/client');
  });

  test('forwards API calls to the control plane, which has the agent and the sample data', async () => {
    const { devices, runs } = client({ Authorization: `Bearer ${await signedIn()}` });
    const fleet = await devices.listDevices({ query: {} });
    expect(fleet.results).toHaveLength(1);
    const { results } = await runs.listRuns({ query: {} });
    expect(results.length).toBeGreaterThan(10);
  });

  test('builds and serves SDK packages of the present sources', async () => {
    for (const name of Object.values(packageNames)) {
      const response = await fetch(`${url}/sdk/${name}`);
      expect([name, response.status]).toEqual([name, 200]);
      const served = Buffer.from(await response.arrayBuffer());
      expect(served.equals(readFileSync(join(packages, name)))).toBe(true);
      expect(statSync(join(packages, name)).mtimeMs).toBeGreaterThan(0);
    }
    expect(program.output()).toContain('sdk packages: building\n');
  });

  test('forwards the WebSocket of live updates', async () => {
    const headers = { Authorization: `Bearer ${await signedIn()}` };
    const socket = new WebSocket(url.replace('http', 'ws') + LIVE_PATH, { headers });
    await once(socket, 'open');
    socket.close();
    await once(socket, 'close');
  });

  test(
    'serves the console under the Content-Security-Policy of development',
    { tags: ['chromium'] },
    async () => {
      const browser = await launchChromium();
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const violations: string[] = [];
      page.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
      });
      const hotReload = page.waitForEvent('websocket', (socket) =>
        socket.url().includes('?token='),
      );
      await page.goto(url);
      await hotReload;
      await signIn(page, OWNER);
      await page.getByRole('heading', { name: 'Devices' }).waitFor();
      await browser.close();
      expect(violations).toEqual([]);
    },
  );

  test('a second instance with the same ports ends with one line that names the part', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'));
    const second = startProgram('dev/command.ts', { ...env, DATA_DIR: other });
    await once(second.child, 'close');
    expect(second.child.exitCode).toBe(1);
    expect(second.output()).toMatch(/^control plane: .*PORT=\d+: .*EADDRINUSE.*\n$/);
    const third = startProgram('dev/command.ts', {
      ...env,
      DATA_DIR: other,
      PORT: String(await freePort()),
      DEVICE_PORT: String(await freePort()),
    });
    await once(third.child, 'close');
    expect(third.child.exitCode).toBe(1);
    expect(third.output()).toMatch(/^console: .*\d+ is already in use\n$/);
    rmSync(other, { recursive: true });
  });

  test('Ctrl-C during the start ends it cleanly', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'));
    const starting = startProgram('dev/command.ts', {
      ...env,
      DATA_DIR: other,
      PORT: String(await freePort()),
      DEVICE_PORT: String(await freePort()),
      CONSOLE_PORT: String(await freePort()),
    });
    await starting.waitForOutput('agent: ');
    expect(await starting.stop('SIGINT')).toBe(0);
    expect(starting.output()).not.toMatch(/^seed: |Error:/m);
    rmSync(other, { recursive: true });
  });

  test('Ctrl-C ends all processes', { tags: ['pgrep'] }, async () => {
    const children = childrenOf(program.child.pid);
    // Control plane and agent; Vite runs in the process of the command.
    expect(children).toHaveLength(2);
    expect(await program.stop('SIGINT')).toBe(0);
    for (const pid of children) {
      expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
      // Each child leads a process group that would contain its own children.
      expect(() => process.kill(-pid, 0)).toThrow(/ESRCH/);
    }
    expect(program.output()).not.toMatch(/: ended \(/);
  });
});

const childrenOf = (pid = 0): number[] =>
  execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

test('a watched program restarts when its code changes, also after it has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-watched-'));
  const program = join(folder, 'program.ts');
  const lib = join(folder, 'lib');
  mkdirSync(lib);
  // Replaces the file atomically, so that an incomplete file is never read.
  const setValue = (value: string): void => {
    writeFileSync(join(lib, 'draft'), `export const value: string = '${value}';\n`);
    renameSync(join(lib, 'draft'), join(lib, 'value.ts'));
  };
  setValue('first');
  writeFileSync(
    program,
    `import { value } from './lib/value.ts';
console.log(value);
if (value === 'second') process.exit(3);
process.on('disconnect', () => process.exit());`,
  );
  const lines: string[] = [];
  let readOutput = (): void => undefined;
  const add = (line: string): void => {
    lines.push(line);
    readOutput();
  };
  const line = (text: string) =>
    new Promise<void>((resolve) => {
      readOutput = () => {
        if (lines.includes(text)) resolve();
      };
      readOutput();
    });
  const running = runWatched({
    program,
    env: process.env,
    code: { folders: [folder] },
    print: add,
    onEnd: (how) => add(`ended: ${how}`),
  });
  await line('first');
  setValue('second');
  await line('ended: exit code 3');
  setValue('third');
  await line('third');
  const ends = new Set(lines.filter((text) => text.startsWith('ended')));
  expect([...ends]).toEqual(['ended: exit code 3']);
  // Some editors change a file in place.
  writeFileSync(program, `${readFileSync(program, 'utf8')}console.log('changed in place');\n`);
  await line('changed in place');
  await running.stop();
  rmSync(folder, { recursive: true });
});
