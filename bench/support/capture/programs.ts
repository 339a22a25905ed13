import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundlePrograms } from '#agent/bundle-programs.ts';
import { freePort } from '#test/support/processes.ts';
import type { Certificates } from './certificates.ts';
import type { Measured, Order } from './client.ts';
import type { ReportCounts } from './gatehouse-relay.ts';

export interface Relay {
  pid: number;
  port: number;
  stop: () => Promise<void>;
}

export interface GatehouseRelay extends Relay {
  reports: () => Promise<ReportCounts>;
}

const here = import.meta.dirname;
const root = join(here, '../../..');
const BUILT = join(root, 'bench/dist/capture');
/** The flags of the installed agent (agent/packaging/linux/deb.ts). */
const agentFlags = ['--max-semi-space-size=8'];
const start = (
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): ChildProcess =>
  fork(resolve(here, file), args, {
    cwd: root,
    execArgv: [...flags, '--import', './require-node.mjs'],
  });

const stopping = (child: ChildProcess) => async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
};

/** The next message of a child process. Rejects if the process ends before. */
function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a program of the benchmark exited'));
    child.once('exit', ended).once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

export async function startUpstream(certificates: string) {
  const child = start('upstream.ts', [certificates]);
  return { ...(await heard<{ tls: number; tcp: number }>(child)), stop: stopping(child) };
}

export function startClient(certificates: string) {
  const child = start('client.ts', [certificates]);
  return {
    run: (order: Order): Promise<Measured> => {
      const measured = heard<Measured>(child);
      child.send(order);
      return measured;
    },
    stop: stopping(child),
  };
}

async function startRelay(
  file: string,
  certificates: string,
  port: number,
  flags?: readonly string[],
) {
  const child = start(file, [certificates, String(port)], flags);
  const { port: own } = await heard<{ port: number }>(child);
  return { child, relay: { pid: child.pid as number, port: own, stop: stopping(child) } };
}

export const startLimit = async (
  file: `limit-${string}.ts`,
  certificates: string,
  port: number,
): Promise<Relay> => (await startRelay(file, certificates, port)).relay;

let building: Promise<string> | undefined;

/** Builds the agent's relay, with the worker thread's program next to it. */
async function buildRelay(folder: string): Promise<string> {
  await bundlePrograms(folder, {
    relay: join(here, 'gatehouse-relay.ts'),
    'report-worker': join(root, 'agent/node/capture/reports/report-worker.ts'),
  });
  return join(folder, 'relay.js');
}

export async function startGatehouse(certificates: string, port: number): Promise<GatehouseRelay> {
  const program = await (building ??= buildRelay(BUILT));
  const { child, relay } = await startRelay(program, certificates, port, agentFlags);
  return {
    ...relay,
    reports: () => {
      const counts = heard<ReportCounts>(child);
      child.send('reports');
      return counts;
    },
  };
}

/** The path of mitmdump: the variable MITMDUMP, or `mitmdump` in PATH. */
export function findMitmdump(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const programs = [process.env.MITMDUMP, ...folders.map((folder) => join(folder, 'mitmdump'))];
  return programs.find((program) => program && existsSync(program)) ?? null;
}

/**
 * Starts mitmproxy with a configuration like that of the bare relay: the same certificate, with
 * verification of the server. It neither stores nor prints flows.
 */
export async function startMitmproxy(
  program: string,
  dir: string,
  { relay, worldRoot }: Certificates,
  upstream: number,
): Promise<Relay> {
  const port = await freePort();
  const own = mkdtempSync(join(dir, 'mitmproxy-'));
  writeFileSync(join(own, 'relay.pem'), `${relay.privateKeyPem}\n${relay.certificatePem}`);
  writeFileSync(join(own, 'world.pem'), worldRoot);
  const options = {
    confdir: own,
    ssl_verify_upstream_trusted_ca: join(own, 'world.pem'),
    certs: join(own, 'relay.pem'),
    flow_detail: '0',
    keep_host_header: 'true',
  };
  const child = spawn(
    program,
    [
      '-q',
      '--listen-host',
      '127.0.0.1',
      '--listen-port',
      String(port),
      '--mode',
      `reverse:https://localhost:${upstream}`,
      ...Object.entries(options).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('mitmdump exited');
    await pause(100);
  }
  return { pid: child.pid as number, port, stop: stopping(child) };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
