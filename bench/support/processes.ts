import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildControlPlane } from '#control-plane/build.ts';
import { freePort } from '#test/support/free-port.ts';

export const KEY = 'svc_sk_0123456789abcdef0123456789abcdef';
export const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };

const root = join(import.meta.dirname, '../..');
const BUILT = 'bench/dist/control-plane';

export interface Server {
  port: number;
  pid: number;
  /** From the start of the process to its first answer. */
  startMs: number;
  stop(): Promise<void>;
}

let building: Promise<void> | undefined;

/** Our control plane, as `npm run control-plane` runs it. */
export async function startOurs(env: Record<string, string>): Promise<Server> {
  await (building ??= buildControlPlane(join(root, BUILT)));
  const port = await freePort();
  const began = performance.now();
  const child = start(`${BUILT}/control-plane.js`, [], {
    HOST: '127.0.0.1',
    PORT: String(port),
    DEVICE_PORT: '0',
    BOOTSTRAP_API_KEY: KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
    APPLE_TEAM_ID: 'GATEHOUSE1',
    LOG_LEVEL: 'error',
    ...env,
  });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz/`).catch(() => undefined);
    if (answer?.ok) break;
    if (child.exitCode !== null) throw new Error('the control plane ended');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return server(child, port, performance.now() - began);
}

/** A limit program of this folder; it prints its port in one line of JSON. */
export async function startLimit(file: string, ...args: string[]): Promise<Server> {
  const child = start(`bench/support/${file}`, args, {});
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return server(child, (JSON.parse(line.toString()) as { port: number }).port, 0);
}

function start(file: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--import', './require-node.mjs', join(root, file), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const server = (child: ChildProcess, port: number, startMs: number): Server => ({
  port,
  pid: child.pid as number,
  startMs,
  async stop() {
    if (child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  },
});

/** Resident memory of a process in MB. Linux. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const TICKS_PER_SECOND = 100;

/** Threads of a process that have this name. Linux. */
export const threadsOf = (pid: number, name: string): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .filter((tid) => readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').trim() === name);

/** A process and those that it started, down to the last. Linux. */
export function processTree(pid: number): number[] {
  const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...started.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

/** Seconds of processor time that a process has used, or one of its threads. Linux. */
export function processorSeconds(pid: number, thread?: number): number {
  const folder = thread === undefined ? `/proc/${pid}` : `/proc/${pid}/task/${thread}`;
  // The name of the program stands in brackets before these and may hold blanks.
  const fields = readFileSync(`${folder}/stat`, 'utf8').split(') ').at(-1) ?? '';
  const [user, system] = fields.split(' ').slice(11, 13).map(Number) as [number, number];
  return (user + system) / TICKS_PER_SECOND;
}
