import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHere } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { flowReport } from '#contract/flows.ts';
import type { FlowReport } from '#contract/flows.ts';
import { observeFlows } from './observer.ts';
import type { FlowObserver } from './observer.ts';
import {
  SERVER_PROGRAM,
  CLIENT_PROGRAM,
  waitForExit,
  firstOutput,
  DNS_PROGRAM,
} from './testing/programs.ts';
import { bootSecondMachine } from './testing/second-machine.ts';
import type { SecondMachine } from './testing/second-machine.ts';

const patience = { interval: 20 };
interface Stored {
  address: string;
  bytesIn: number | null;
}

let machine: SecondMachine;
let folder: string;
let reports: FlowReport[];
let problems: string[];
let observer: FlowObserver | undefined;
let launched: ChildProcess[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flows-'));
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const subject = ['-subj', '/CN=test', '-nodes', '-days', '2', '-newkey', 'ec'];
  const curve = ['-pkeyopt', 'ec_paramgen_curve:P-256'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...subject, ...curve, ...files], { stdio: 'ignore' });
  machine = await bootSecondMachine();
  const tls = ['s_server', '-accept', '443', '-cert', certificate, '-key', key, '-www'];
  await firstOutput(machine.start('openssl', tls));
  await firstOutput(machine.start(process.execPath, ['-e', SERVER_PROGRAM]));
  await firstOutput(machine.start(process.execPath, ['-e', DNS_PROGRAM, machine.there]));
});

afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  reports = [];
  problems = [];
  launched = [];
});

afterEach(async () => {
  await observer?.stop();
  observer = undefined;
  // After a failure too: a connection that stays open would be a flow of the next test.
  for (const child of launched) child.kill('SIGKILL');
  await Promise.all(launched.map(waitForExit));
});

function launch(command: string, args: string[], stdio: StdioOptions = 'pipe'): ChildProcess {
  const child = spawn(command, args, { stdio });
  launched.push(child);
  return child;
}

const launchNode = (program: string, args: string[]) =>
  launch(process.execPath, ['-e', program, ...args]);

async function observe(over: Partial<Parameters<typeof observeFlows>[0]> = {}) {
  observer = await observeFlows({
    stateFile: join(folder, `${Math.random()}.json`),
    intervalMs: 50,
    exclude: () => [],
    appOf: ({ name }) => (name === 'openssl' ? 'openssl-tool' : undefined),
    onReport: (report) => reports.push(report),
    onProblem: (line) => problems.push(line),
    ...over,
  });
  return observer;
}

/** The reports about flows to one port of the second machine. */
const about = (port: number) =>
  reports.filter((report) => report.address === machine.there && report.port === port);
const isThere = ({ address }: FlowReport) => address === machine.there;
const openThere = () => (observer?.openFlows() ?? []).filter(isThere);
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
      `${machine.there}:443`,
      '-servername',
      'API.OpenAI.com',
    ]);
    await vi.waitFor(() => expect(about(443).at(-1)?.host).toBe('api.openai.com'), patience);
    const oracle = await vi.waitFor(() => socketByOracle(client.pid ?? 0), patience);
    await vi.waitFor(() => {
      const open = observer?.openFlows().find(({ pid }) => pid === client.pid);
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
      address: machine.there,
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
    expect(problems).toEqual([]);
  });

  test.each([
    ['closed here first', 'close'],
    ['reset here', 'reset'],
  ])('counts the payload exactly when a connection is %s', async (_, how) => {
    await observe();
    const client = launchNode(CLIENT_PROGRAM, [machine.there, '7001']);
    await firstOutput(client);
    await vi.waitFor(() => expect(about(7001)).not.toEqual([]), patience);
    // The kernel clears the counters of a connection that is reset: what was seen last counts then.
    // It may have the answer before the client has been scheduled to ask, so both are waited for.
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

  test('misses no connection between two looks, nor its process, nor its host', async () => {
    await observe({ intervalMs: 2000 });
    const tls = `openssl s_client -connect ${machine.there}:443 -servername claude.ai`;
    await waitForExit(launch('sh', ['-c', `sleep 0.2 | ${tls}`]));
    const last = await endOf(443);
    expect(last).toMatchObject({ process: 'openssl', host: 'claude.ai' });
    expect(last.bytes_in).toBeGreaterThan(1000);
    expect(new Set(about(443).map(({ id }) => id)).size).toBe(1);
  });

  test('keeps to itself which other hosts are visited', async () => {
    await observe();
    const { there } = machine;
    const target = ['--resolve', `www.example.com:443:${there}`, 'https://www.example.com/'];
    await waitForExit(launch('curl', ['-sk', '-o', '/dev/null', ...target]));
    expect(await endOf(443)).toMatchObject({ host: null });
    expect(about(443).every(({ host }) => host === null)).toBe(true);
  });

  test('names a flow without TLS by the answer of the name server', async () => {
    await observe();
    const asked = `const { Resolver } = require('node:dns');
      const resolver = new Resolver();
      resolver.setServers(['${machine.there}']);
      resolver.resolve4('api.anthropic.com', () => { ${CLIENT_PROGRAM} });`;
    const client = launchNode(asked, [machine.there, '7001']);
    await firstOutput(client);
    await vi.waitFor(() => expect(about(7001).at(-1)?.host).toBe('api.anthropic.com'), patience);
    client.stdin?.write('close');
    await waitForExit(client);
    expect(about(53)).toEqual([]);
  });

  test('reports IPv6 and connected UDP, the latter without bytes', async () => {
    await observe();
    const six = launchNode(CLIENT_PROGRAM, [machine.there6, '7001']);
    await firstOutput(six);
    const udp = launchNode(
      `const socket = require('node:dgram').createSocket('udp4').on('error', () => {});
       socket.connect(443, '${machine.there}', () => { socket.send('x'); console.log('ready'); });
       process.stdin.on('data', () => process.exit());`,
      [],
    );
    await firstOutput(udp);
    await vi.waitFor(() => {
      const of6 = reports.find(({ address }) => address === machine.there6);
      expect(of6).toMatchObject({ port: 7001, pid: six.pid, protocol: 'tcp' });
      expect(about(443)[0]).toMatchObject({ protocol: 'udp', pid: udp.pid, bytes_in: null });
    }, patience);
    six.stdin?.write('close');
    udp.stdin?.write('end');
    expect(await endOf(443)).toMatchObject({ protocol: 'udp', bytes_in: null, bytes_out: null });
    await waitForExit(six);
  });

  test('leaves out loopback, the control plane, itself, and what servers here accept', async () => {
    const serving = launchNode(
      `require('node:net').createServer((socket) => socket.on('error', () => {}).pipe(socket))
         .listen(7002, '0.0.0.0', () => console.log('ready'));`,
      [],
    );
    await firstOutput(serving);
    await observe({ exclude: () => [{ address: machine.there, port: 443 }] });

    const own = connectHere(7001, machine.there);
    await once(own, 'data');
    const loop = `const s = require('node:net').connect(7002, '127.0.0.1', () => s.write('x'));
      s.on('data', () => console.log('ready')); process.stdin.on('data', () => process.exit());`;
    const looping = launchNode(loop, []);
    const visitor = machine.start(process.execPath, [
      '-e',
      loop.replace('127.0.0.1', machine.here),
    ]);
    const excluded = launch('openssl', ['s_client', '-connect', `${machine.there}:443`]);
    await Promise.all([looping, visitor, excluded].map(firstOutput));
    // A flow that is reported, begun after all the others: they have been looked at by then.
    const witness = launchNode(CLIENT_PROGRAM, [machine.there, '7001']);
    await firstOutput(witness);
    await vi.waitFor(() => expect(about(7001)).not.toEqual([]), patience);
    for (const child of [looping, visitor]) child.stdin?.write('end');
    excluded.stdin?.end();
    own.destroy();
    serving.kill();
    await Promise.all([looping, visitor, excluded].map(waitForExit));
    witness.stdin?.write('close');
    await endOf(7001);
    const { here, there } = machine;
    const ours = reports.filter(({ address }) => [here, there, '127.0.0.1'].includes(address));
    expect(new Set(ours.map(({ pid }) => pid))).toEqual(new Set([witness.pid]));
  });

  test('a flow goes on under its id after the observer was killed', async () => {
    const stateFile = join(folder, 'killed.json');
    const first = await startObserver(stateFile, []);
    const staying = launchNode(CLIENT_PROGRAM, [machine.there, '7001']);
    const leaving = launchNode(CLIENT_PROGRAM, [machine.there, '7001']);
    await Promise.all([staying, leaving].map(firstOutput));
    await vi.waitFor(() => {
      const { flows } = JSON.parse(readFileSync(stateFile, 'utf8')) as { flows: Stored[] };
      const bytes = flows.filter(({ address }) => address === machine.there);
      expect(bytes.map(({ bytesIn }) => bytesIn)).toEqual([1000, 1000]);
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

    const all = [...first.reports, ...reports].filter(({ port }) => port === 7001);
    const idsOf = (pid: number | undefined) =>
      new Set(
        all
          .filter((report) => report.pid === pid)
          .map(({ id, started_at }) => `${id} ${started_at}`),
      );
    expect([idsOf(staying.pid).size, idsOf(leaving.pid).size]).toEqual([1, 1]);
    expect(about(7001).filter(({ ended_at }) => ended_at === null)).toEqual([]);
  });

  test('the same socket has the same id for an observer that remembers nothing', async () => {
    const client = launchNode(CLIENT_PROGRAM, [machine.there, '7001']);
    await firstOutput(client);
    const first = await startObserver(join(folder, 'first.json'), []);
    await vi.waitFor(() => expect(first.reports.find(isThere)).toBeDefined(), patience);
    first.process.kill('SIGKILL');
    await observe({ stateFile: join(folder, 'second.json') });
    await vi.waitFor(() => expect(about(7001)).not.toEqual([]), patience);
    expect(about(7001)[0]?.id).toBe(first.reports.find(isThere)?.id);
    client.stdin?.write('close');
    await waitForExit(client);
  });

  test('without privileges sees the flows of others, not their processes', async () => {
    // The same user, so that it may read this checkout wherever that is, but without any right.
    const powerless = ['setpriv', '--bounding-set=-all'];
    const theirs = launchNode(CLIENT_PROGRAM, [machine.there, '7001']);
    await firstOutput(theirs);
    const started = await startObserver(join(folder, 'powerless.json'), powerless);
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

describe('an observer that is started', () => {
  const stored = {
    key: 1,
    id: 'fl_1',
    protocol: 'tcp',
    localAddress: '10.0.0.1',
    localPort: 40_000,
    address: '10.9.9.9',
    port: 443,
    inode: 1,
    user: 'ann',
    owner: null,
    appId: null,
    host: 'claude.ai',
    startedAt: 1000,
    bytesIn: 5,
    bytesOut: 6,
  };

  test('after a reboot ends the flows of before, as of when they were last seen', async () => {
    const stateFile = join(folder, 'rebooted.json');
    writeFileSync(
      stateFile,
      JSON.stringify({ scope: 'another boot', seen_at: 5000, flows: [stored] }),
    );
    await observe({ stateFile });
    await observer?.stop();
    observer = undefined;
    await observe({ stateFile });
    const before = reports.filter(({ id }) => id === 'fl_1');
    expect(before).toMatchObject([
      { address: '10.9.9.9', host: 'claude.ai', started_at: 1000, ended_at: 5000, bytes_in: 5 },
    ]);
  });

  test.each([
    ['was long ago', 5001, [[100_000, 105_001]]],
    ['was just now', 5000, []],
    ['is later than now, for a clock was set back', -5001, []],
  ])('reports the gap in observation: the last poll %s', async (_, ago, expected) => {
    const stateFile = join(folder, `looked-${ago}.json`);
    writeFileSync(stateFile, JSON.stringify({ scope: 'boot', seen_at: 100_000, flows: [] }));
    const gaps: number[][] = [];
    const now = () => 100_000 + ago;
    await observe({ stateFile, now, onGap: (from, to) => gaps.push([from, to]) });
    expect(gaps).toEqual(expected);
  });

  test('saves that it has looked, also while there is no flow', async () => {
    const stateFile = join(folder, 'looking.json');
    const seenAt = () =>
      (JSON.parse(readFileSync(stateFile, 'utf8')) as { seen_at: number }).seen_at;
    let time = Date.now();
    await observe({ stateFile, now: () => time });
    expect(seenAt()).toBe(time);
    time += 5000;
    await vi.waitFor(() => expect(seenAt()).toBe(time), patience);
  });

  test('with a damaged state says so once, and observes', async () => {
    const stateFile = join(folder, 'damaged.json');
    writeFileSync(stateFile, '{');
    await observe({ stateFile });
    expect(problems).toEqual([`the open flows in ${stateFile} cannot be read and are discarded`]);
  });
});

/** An observer as a process of its own, begun by `prefix`; resolves after its first look. */
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

/** What ss(8) says of the connection of a process. Fails until there is one that has settled. */
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
