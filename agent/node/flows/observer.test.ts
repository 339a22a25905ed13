import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHere } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { flowReport } from '#contract/flows.ts';
import type { FlowReport } from '#contract/flows.ts';
import { CLIENT_PROGRAM, waitForExit, firstOutput } from './testing/programs.ts';
import { setUpFlowObserver } from './testing/set-up-flow-observer.ts';

const patience = { interval: 20 };
interface Stored {
  address: string;
  bytesIn: number | null;
  bytesOut: number | null;
}
const world = setUpFlowObserver();
const { observe } = world;

function launch(command: string, args: string[], stdio: StdioOptions = 'pipe'): ChildProcess {
  const child = spawn(command, args, { stdio });
  world.launched.push(child);
  return child;
}

const launchNode = (program: string, args: string[]) =>
  launch(process.execPath, ['-e', program, ...args]);

/** Returns the reports about flows to one port of the second machine. */
const about = (port: number) =>
  world.reports.filter((report) => report.address === world.machine.there && report.port === port);
const isThere = ({ address }: FlowReport) => address === world.machine.there;
const openThere = () => (world.observer?.openFlows() ?? []).filter(isThere);
const endOf = (port: number) =>
  vi.waitFor(() => {
    const last = about(port).findLast((report) => report.ended_at !== null);
    if (!last) throw new Error(`no flow to port ${port} has ended`);
    return last;
  }, patience);

describe('the flows of this machine', { tags: ['networks', 'openssl', 'curl'] }, () => {
  test('reports a TLS connection with its process, its host and its exact bytes', async () => {
    await observe();
    const began = Date.now();
    const client = launch('openssl', [
      's_client',
      '-connect',
      `${world.machine.there}:443`,
      '-servername',
      'API.OpenAI.com',
    ]);
    await vi.waitFor(() => expect(about(443).at(-1)?.host).toBe('api.openai.com'), patience);
    const oracle = await vi.waitFor(() => socketByOracle(client.pid ?? 0), patience);
    await vi.waitFor(() => {
      const open = world.observer?.openFlows().find(({ pid }) => pid === client.pid);
      expect([open?.bytes_in, open?.bytes_out]).toEqual([oracle.received, oracle.sent]);
    }, patience);
    client.stdin?.end('GET / HTTP/1.0\r\n\r\n');
    await waitForExit(client);
    const last = await endOf(443);
    expect(last).toEqual({
      id: about(443)[0]?.id,
      app_id: 'openssl-tool',
      process: 'openssl',
      path: realPath('openssl'),
      pid: client.pid,
      user: userInfo().username,
      host: 'api.openai.com',
      address: world.machine.there,
      port: 443,
      protocol: 'tcp',
      started_at: expect.any(Number),
      ended_at: expect.any(Number),
      bytes_in: expect.any(Number),
      bytes_out: expect.any(Number),
    });
    expect(last.started_at).toBeGreaterThanOrEqual(began);
    expect(last.ended_at).toBeLessThanOrEqual(Date.now());
    expect(last.bytes_in).toBeGreaterThan(oracle.received);
    expect(about(443).map((report) => report.ended_at === null)).toEqual(
      about(443).map((_, i) => i < about(443).length - 1),
    );
    expect(() => z.encode(flowReport, last)).not.toThrow();
    expect(world.problems).toEqual([]);
  });

  test.each([
    ['closed here first', 'close'],
    ['reset here', 'reset'],
  ])('counts the payload exactly when a connection is %s', async (_, how) => {
    await observe();
    const client = launchNode(CLIENT_PROGRAM, [world.machine.there, '7001']);
    await firstOutput(client);
    await vi.waitFor(() => expect(about(7001)).not.toEqual([]), patience);
    // The kernel clears the counters of a reset connection, so the last seen counts are final. The
    // observer may see the response before the client has sent its request, so both are awaited.
    await vi.waitFor(
      () => expect(openThere()[0]).toMatchObject({ bytes_in: 1000, bytes_out: 500 }),
      patience,
    );
    client.stdin?.write(how);
    const { bytes_in, bytes_out, process: name, host } = await endOf(7001);
    expect({ bytes_in, bytes_out, name, host }).toEqual({
      bytes_in: 1000,
      bytes_out: 500,
      name: 'node',
      host: null,
    });
    await waitForExit(client);
  });

  test('misses no connection between two polls, including its process and its host', async () => {
    await observe({ intervalMs: 2000 });
    const tls = `openssl s_client -connect ${world.machine.there}:443 -servername claude.ai`;
    await waitForExit(launch('sh', ['-c', `sleep 0.2 | ${tls}`]));
    const last = await endOf(443);
    expect(last).toMatchObject({ process: 'openssl', host: 'claude.ai' });
    expect(last.bytes_in).toBeGreaterThan(1000);
    expect(new Set(about(443).map(({ id }) => id)).size).toBe(1);
  });

  test('does not reveal which other hosts are visited', async () => {
    await observe();
    const { there } = world.machine;
    const target = ['--resolve', `www.example.com:443:${there}`, 'https://www.example.com/'];
    await waitForExit(launch('curl', ['-sk', '-o', '/dev/null', ...target]));
    expect(await endOf(443)).toMatchObject({ host: null });
    expect(about(443).every(({ host }) => host === null)).toBe(true);
  });

  test('names a flow without TLS by the DNS response', async () => {
    await observe();
    const resolverScript = `const { Resolver } = require('node:dns');
      const resolver = new Resolver();
      resolver.setServers(['${world.machine.there}']);
      resolver.resolve4('api.anthropic.com', () => { ${CLIENT_PROGRAM} });`;
    const client = launchNode(resolverScript, [world.machine.there, '7001']);
    await firstOutput(client);
    await vi.waitFor(() => expect(about(7001).at(-1)?.host).toBe('api.anthropic.com'), patience);
    client.stdin?.write('close');
    await waitForExit(client);
    expect(about(53)).toEqual([]);
  });

  test('reports IPv6 and connected UDP, the latter without bytes', async () => {
    await observe();
    const six = launchNode(CLIENT_PROGRAM, [world.machine.there6, '7001']);
    await firstOutput(six);
    const udp = launchNode(
      `const socket = require('node:dgram').createSocket('udp4').on('error', () => {});
       socket.connect(443, '${world.machine.there}', () => { socket.send('x'); console.log('ready'); });
       process.stdin.on('data', () => process.exit());`,
      [],
    );
    await firstOutput(udp);
    await vi.waitFor(() => {
      const of6 = world.reports.find(({ address }) => address === world.machine.there6);
      expect(of6).toMatchObject({ port: 7001, pid: six.pid, protocol: 'tcp' });
      expect(about(443)[0]).toMatchObject({ protocol: 'udp', pid: udp.pid, bytes_in: null });
    }, patience);
    six.stdin?.write('close');
    udp.stdin?.write('end');
    expect(await endOf(443)).toMatchObject({ protocol: 'udp', bytes_in: null, bytes_out: null });
    await waitForExit(six);
  });

  test('excludes loopback, the control plane, itself, and connections accepted by local servers', async () => {
    const serving = launchNode(
      `require('node:net').createServer((socket) => socket.on('error', () => {}).pipe(socket))
         .listen(7002, '0.0.0.0', () => console.log('ready'));`,
      [],
    );
    await firstOutput(serving);
    await observe({ exclude: () => [{ address: world.machine.there, port: 443 }] });

    const own = connectHere(7001, world.machine.there);
    await once(own, 'data');
    const loop = `const s = require('node:net').connect(7002, '127.0.0.1', () => s.write('x'));
      s.on('data', () => console.log('ready')); process.stdin.on('data', () => process.exit());`;
    const looping = launchNode(loop, []);
    const visitor = world.machine.start(process.execPath, [
      '-e',
      loop.replace('127.0.0.1', world.machine.here),
    ]);
    const excluded = launch('openssl', ['s_client', '-connect', `${world.machine.there}:443`]);
    await Promise.all([looping, visitor, excluded].map(firstOutput));
    // A flow that is reported and that begins after all others, so that those were polled before.
    const witness = launchNode(CLIENT_PROGRAM, [world.machine.there, '7001']);
    await firstOutput(witness);
    await vi.waitFor(() => expect(about(7001)).not.toEqual([]), patience);
    for (const child of [looping, visitor]) child.stdin?.write('end');
    excluded.stdin?.end();
    own.destroy();
    serving.kill();
    await Promise.all([looping, visitor, excluded].map(waitForExit));
    witness.stdin?.write('close');
    await endOf(7001);
    const { here, there } = world.machine;
    const ours = world.reports.filter(({ address }) =>
      [here, there, '127.0.0.1'].includes(address),
    );
    expect(new Set(ours.map(({ pid }) => pid))).toEqual(new Set([witness.pid]));
  });

  test('a flow keeps its id after the observer was killed', async () => {
    const stateFile = join(world.folder, 'killed.json');
    const first = await startObserver(stateFile, []);
    const staying = launchNode(CLIENT_PROGRAM, [world.machine.there, '7001']);
    const leaving = launchNode(CLIENT_PROGRAM, [world.machine.there, '7001']);
    await Promise.all([staying, leaving].map(firstOutput));
    await vi.waitFor(() => {
      const { flows } = JSON.parse(readFileSync(stateFile, 'utf8')) as { flows: Stored[] };
      const known = flows.filter(({ address }) => address === world.machine.there);
      expect(known).toMatchObject([
        { bytesIn: 1000, bytesOut: 500 },
        { bytesIn: 1000, bytesOut: 500 },
      ]);
    }, patience);
    first.process.kill('SIGKILL');
    await waitForExit(first.process);
    leaving.stdin?.write('close');
    await waitForExit(leaving);

    await observe({ stateFile });
    const gone = await endOf(7001);
    expect(gone).toMatchObject({ pid: leaving.pid, bytes_in: 1000 });
    expect(openThere().map(({ pid }) => pid)).toEqual([staying.pid]);
    staying.stdin?.write('close');
    await waitForExit(staying);
    await vi.waitFor(() => expect(openThere()).toEqual([]), patience);

    const all = [...first.reports, ...world.reports].filter(({ port }) => port === 7001);
    const idsOf = (pid: number | undefined) =>
      new Set(
        all
          .filter((report) => report.pid === pid)
          .map(({ id, started_at }) => `${id} ${started_at}`),
      );
    expect([idsOf(staying.pid).size, idsOf(leaving.pid).size]).toEqual([1, 1]);
    expect(about(7001).filter(({ ended_at }) => ended_at === null)).toEqual([]);
  });

  test('the same socket has the same id for an observer without a state', async () => {
    const client = launchNode(CLIENT_PROGRAM, [world.machine.there, '7001']);
    await firstOutput(client);
    const first = await startObserver(join(world.folder, 'first.json'), []);
    await vi.waitFor(() => expect(first.reports.find(isThere)).toBeDefined(), patience);
    first.process.kill('SIGKILL');
    await observe({ stateFile: join(world.folder, 'second.json') });
    await vi.waitFor(() => expect(about(7001)).not.toEqual([]), patience);
    expect(about(7001)[0]?.id).toBe(first.reports.find(isThere)?.id);
    client.stdin?.write('close');
    await waitForExit(client);
  });

  test('without privileges, sees the flows of others but not their processes', async () => {
    // The same user, so that it may read this checkout, but without capabilities.
    const powerless = ['setpriv', '--bounding-set=-all'];
    const theirs = launchNode(CLIENT_PROGRAM, [world.machine.there, '7001']);
    await firstOutput(theirs);
    const started = await startObserver(join(world.folder, 'powerless.json'), powerless);
    await vi.waitFor(() => {
      const found = started.reports.find(isThere);
      expect(found).toMatchObject({ process: null, pid: null, user: 'root', bytes_in: 1000 });
    }, patience);
    theirs.stdin?.write('close');
    await vi.waitFor(() => {
      const last = started.reports.findLast(isThere);
      expect(last?.ended_at).not.toBeNull();
    }, patience);
    started.process.kill();
    await Promise.all([theirs, started.process].map(waitForExit));
    expect(started.problems).toEqual([]);
  });
});

/** Starts an observer as a separate process with this prefix; resolves after its first poll. */
async function startObserver(stateFile: string, prefix: string[]) {
  const script = new URL('testing/observe.ts', import.meta.url).pathname;
  const [command, ...args] = [...prefix, process.execPath, script, stateFile];
  const child = launch(command, args, ['ignore', 'pipe', 'inherit']);
  const found = { process: child, reports: [] as FlowReport[], problems: [] as string[] };
  let isReady = false;
  let rest = '';
  child.stdout?.on('data', (data: Buffer) => {
    const lines = (rest + data.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { report, problem, ready } = JSON.parse(line);
      if (report) found.reports.push(report);
      if (problem) found.problems.push(problem);
      isReady ||= ready === true;
    }
  });
  await vi.waitFor(() => expect(isReady).toBe(true), patience);
  return found;
}

/** Returns the values of ss(8) for the connection of a process. Throws until it is established. */
function socketByOracle(pid: number): { received: number; sent: number } {
  const line = execFileSync('ss', ['-tinpHO', 'state', 'established'], { encoding: 'utf8' })
    .split('\n')
    .find((one) => one.includes(`pid=${pid},`));
  const numberOf = (name: string) => Number(new RegExp(`\\b${name}:(\\d+)`).exec(line ?? '')?.[1]);
  const found = { received: numberOf('bytes_received'), sent: numberOf('bytes_sent') };
  expect(found.received).toBeGreaterThan(0);
  return found;
}

function realPath(command: string): string {
  return execFileSync('sh', ['-c', `readlink -f "$(command -v ${command})"`])
    .toString()
    .trim();
}
