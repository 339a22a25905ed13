/**
 * Measures the share of short connections that are reported with their process, and the cost of
 * observing them. There are 20 new connections a second for 15 s, each open for 50 to 500 ms, from
 * curl and Python processes with one connection each and from one Node process with many. Run as
 * root, on Linux:
 *
 * unshare -n node bench/flow-owners.ts
 */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bootSecondMachine } from '#agent/node/flows/testing/second-machine.ts';
import { firstOutput } from '#agent/node/flows/testing/programs.ts';
import type { FlowReport } from '#contract/flows.ts';
import { seeded } from './support/calls.ts';
import { type Row, writeSection } from './support/report.ts';

const SECONDS = 15;
const PER_SECOND = 20;
const PROCESSES = 200;
const OPEN_FILES = 300;
const REST_MS = 10_000;

/**
 * A server that responds to `/<ms>` after that time and closes the connection. Port 7000 returns
 * the number of connections that each port has accepted.
 */
const ANSWERING = `
const { createServer } = require('node:http');
const accepted = {};
for (const port of [7001, 7002, 7003])
  createServer((request, response) => {
    accepted[port] = (accepted[port] ?? 0) + 1;
    setTimeout(() => response.writeHead(200, { connection: 'close' }).end('ok'), Number(request.url.slice(1)));
  }).listen(port, '::');
createServer((_, response) => response.end(JSON.stringify(accepted)))
  .listen(7000, '::', () => console.log('ready'));`;

/** A program with many open files that opens a connection for each line of its input. */
const lookupScript = `
const { get, Agent } = require('node:http');
const { openSync } = require('node:fs');
for (let i = 0; i < ${OPEN_FILES}; i++) openSync('/dev/null');
const agent = new Agent({ keepAlive: false });
process.stdin.on('data', (text) => {
  for (const url of String(text).trim().split('\\n')) get(url, { agent }, (response) => response.resume()).on('error', () => {});
});
console.log('ready');`;

const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim();
const PYTHON_ASKING = `
import http.client, sys
c = http.client.HTTPConnection(sys.argv[1], int(sys.argv[2]))
c.request('GET', sys.argv[3])
c.getresponse().read()`;

const random = seeded(3);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
execFileSync('ip', ['link', 'set', 'lo', 'up']);
await using machine = await bootSecondMachine();
await firstOutput(machine.start(process.execPath, ['-e', ANSWERING]));
const { there } = machine;

const observer = fork(join(import.meta.dirname, 'support/observe-flows.ts'), [
  join(folder, 'flows'),
]);
const reports = new Map<string, FlowReport>();
observer.on('message', (told: { report?: FlowReport; problem?: string }) => {
  if (told.report) reports.set(told.report.id, told.report);
  if (told.problem) console.error(told.problem);
});
await once(observer, 'message');

const missing = PROCESSES - readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)).length;
const bystanders = Array.from({ length: Math.max(0, missing) }, () => spawn('sleep', ['120']));
const lookup = spawn(process.execPath, ['-e', lookupScript], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
await firstOutput(lookup);

const quiet: { stdio: 'ignore' } = { stdio: 'ignore' };
const kinds: Record<number, (port: number, ms: number) => void> = {
  7001: (port, ms) => void spawn('curl', ['-s', `http://${there}:${port}/${ms}`], quiet),
  7002: (port, ms) => void lookup.stdin.write(`http://${there}:${port}/${ms}\n`),
  7003: (port, ms) =>
    void spawn(python, ['-c', PYTHON_ASKING, there, String(port), `/${ms}`], quiet),
};
const turns = [7001, 7002, 7003, 7002, 7001];

/**
 * The CPU time in nanoseconds, because many short turns are below the ticks of /proc/<pid>/stat.
 */
function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const files = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8'));
  return files.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
}

async function costOf(work: () => Promise<unknown>): Promise<string> {
  const [before, began] = [processorTime(observer.pid ?? 0), performance.now()];
  await work();
  const used = processorTime(observer.pid ?? 0) - before;
  return `${(used / (performance.now() - began) / 1e4).toFixed(1)} %`;
}

async function connectAll(): Promise<void> {
  const began = performance.now();
  for (let made = 0; made < SECONDS * PER_SECOND; made += 1) {
    await wait(Math.max(0, began + (made * 1000) / PER_SECOND - performance.now()));
    const port = turns[made % turns.length] as number;
    kinds[port]?.(port, 50 + Math.floor(random() * 450));
  }
}

await wait(3000);
const atRest = await costOf(() => wait(REST_MS));
const underLoad = await costOf(connectAll);
await wait(3000);
const accepted = (await (await fetch(`http://${there}:7000/`)).json()) as Record<string, number>;

const programs = { 7001: 'curl', 7002: 'node', 7003: 'python' };
const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`;
const rows: Row[] = [];
let [all, owned] = [0, 0];
for (const [port, program] of Object.entries(programs)) {
  const seen = [...reports.values()].filter((flow) => flow.port === Number(port));
  const right = seen.filter((flow) => flow.process?.startsWith(program)).length;
  const count = accepted[port] ?? 0;
  all += count;
  owned += right;
  rows.push([
    `${program}: reported with the process, of ${count}`,
    percent(right, count),
    '≥ 99 %',
  ]);
  if (seen.length !== count) rows.push([`${program}: reported`, percent(seen.length, count), '']);
}
rows.push([`all: reported with the process, of ${all}`, percent(owned, all), '≥ 99 %']);
rows.push(['CPU when idle', atRest, '≤ 1 %'], ['CPU under load', underLoad, '≤ 3 %']);
for (const row of rows) console.log(row.join('  '));
if (!process.argv.includes('--dry'))
  writeSection(
    'flowOwners',
    ['what', 'measured', 'goal'],
    rows,
    `${PER_SECOND} connections a second for ${SECONDS} s, open for 50 to 500 ms; ` +
      `at least ${PROCESSES} processes; load average ${loadavg()[0]?.toFixed(1)}.`,
  );

console.log(`load ${loadavg()[0]?.toFixed(1)}`);

const children: ChildProcess[] = [observer, lookup, ...bystanders];
for (const child of children) child.kill('SIGKILL');
rmSync(folder, { recursive: true });
