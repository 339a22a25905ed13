import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildControlPlane } from '#control-plane/build.ts';
import { freePort } from '#test/support/processes.ts';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';

export const KEY = 'svc_sk_0123456789abcdef0123456789abcdef';
export const OWNER = { email: 'owner@example.test', password: 'correct horse battery' };

const root = join(import.meta.dirname, '../..');
const BUILT = 'bench/dist/control-plane';

export interface Server {
  port: number;
  pid: number;
  /** The time in milliseconds from the start of the process to its first response. */
  startMs: number;
  stop(): Promise<void>;
}

let building: Promise<void> | undefined;

/** Starts the control plane as `npm run control-plane` does. */
export async function startControlPlane(env: Record<string, string>): Promise<Server> {
  await (building ??= buildControlPlane(join(root, BUILT)));
  return startBuilt(root, env);
}

/** Builds the control plane of another checkout, whose packages must be installed. */
export function buildCheckout(checkout: string): void {
  const program = `import { buildControlPlane } from './control-plane/build.ts';
    await buildControlPlane(${JSON.stringify(join(checkout, BUILT))});`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Starts the control plane that was built in a checkout. */
export async function startBuilt(checkout: string, env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const began = performance.now();
  const child = start(checkout, `${BUILT}/control-plane.js`, [], {
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
    if (child.exitCode !== null) throw new Error('the control plane exited');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return server(child, port, performance.now() - began);
}

/** Starts a limit program of this folder, which prints its port in one line of JSON. */
export async function startLimit(file: string, ...args: string[]): Promise<Server> {
  const child = start(root, `bench/support/${file}`, args, {});
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return server(child, (JSON.parse(line.toString()) as { port: number }).port, 0);
}

function start(
  checkout: string,
  file: string,
  args: readonly string[],
  env: Record<string, string>,
): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--import', './require-node.mjs', join(checkout, file), ...args],
    {
      cwd: checkout,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  // A failed measurement must not leave a server running.
  process.once('exit', () => child.kill());
  return child;
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

/** The resident memory of a process in MB. Linux only. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const TICKS_PER_SECOND = 100;

/** The threads of a process with this name. Linux only. */
export const threadsOf = (pid: number, name: string): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .filter((tid) => readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').trim() === name);

/** A process and all its descendants. Linux only. */
export function processTree(pid: number): number[] {
  const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...started.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

/** The CPU seconds of a process, or of one of its threads. Linux only. */
export function processorSeconds(pid: number, thread?: number): number {
  const folder = thread === undefined ? `/proc/${pid}` : `/proc/${pid}/task/${thread}`;
  // The program's name, which precedes these fields, is in parentheses and may contain blanks.
  const fields = readFileSync(`${folder}/stat`, 'utf8').split(') ').at(-1) ?? '';
  const [user, system] = fields.split(' ').slice(11, 13).map(Number) as [number, number];
  return (user + system) / TICKS_PER_SECOND;
}

const WIDTH = 30;

/** Creates a progress line on standard error. `before` is the progress of an earlier run. */
export function progressBar(total: number, before: number): (done: number) => void {
  const began = performance.now();
  let shown = '';
  return (done) => {
    const part = done / total;
    const seconds = (performance.now() - began) / 1000;
    const left = Math.round((seconds / Math.max(1, done - before)) * (total - done));
    const filled = Math.round(part * WIDTH);
    const text = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${(part * 100).toFixed(1)} %, ${left} s left`;
    if (text === shown && done < total) return;
    shown = text;
    process.stderr.write(`\r${text}   ${done === total ? '\n' : ''}`);
  };
}

const clientOf = ({ port }: Server, headers: Record<string, string>) =>
  createClient(contract, { baseUrl: `http://127.0.0.1:${port}`, headers: () => headers });

export const byKey = (server: Server) => clientOf(server, { 'X-Svc-Key': KEY });

/** The request headers of a signed-in owner. */
export async function ownerHeaders(server: Server): Promise<Record<string, string>> {
  const { token } = await clientOf(server, {}).identity.login({ body: OWNER });
  return { Authorization: `Bearer ${token}` };
}

export async function startRuns(server: Server, count: number): Promise<string[]> {
  const { recording } = byKey(server);
  const runs: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { run_id } = await recording.startRun({
      body: { agent_name: 'bench', session_id: `s${i % 4}`, user_id: `u${i % 3}` },
    });
    runs.push(run_id);
  }
  return runs;
}
