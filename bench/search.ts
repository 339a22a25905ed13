/**
 * Measures search on both databases: the cost of indexing compared with recording, its lag at a
 * constant rate of calls and after recording at full speed, how fast it catches up, and the time of
 * searches.
 *
 * search.ts [CALLS] [SECONDS] [sqlite|postgres]     default: a million calls, and a minute
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from '#test/support/postgres-server.ts';
import { seeded } from './support/calls.ts';
import {
  ownerHeaders,
  startRuns,
  KEY,
  processorSeconds,
  processTree,
  type Server,
  startControlPlane,
  threadsOf,
} from './support/processes.ts';
import { percentile, postRequest, runLoad } from './support/load.ts';
import { type Row, writeSection } from './support/report.ts';
import { newSearchedCall } from './support/search-texts.ts';

const [total = '1000000', seconds = '60', only] = process.argv.slice(2);
const BATCH = 100;
/** Sizes of smaller requests, as clients send them, whose recording cost is measured. */
const SMALLER_BATCHES = [1, 10];
/** The number of calls that are recorded in requests of each of those sizes. */
const IN_SMALLER_BATCHES = 10_000;
/** The number of calls per second, in batches of ten, while the lag is measured. */
const RATE = 3000;
const CONNECTIONS = 4;
/** The number of distinct requests, which are sent repeatedly. */
const REQUESTS = 300;
const ROUNDS = 20;
/**
 * The length of both texts of a long call. The time of a search does not depend on it, so most
 * calls are short.
 */
const LONG = 2700;
const SHORT = 120;

const rows: Row[] = [];
const add = (kind: string, what: string, measured: string, goal = ''): void => {
  rows.push([`${kind}: ${what}`, measured, goal]);
  console.log(rows.at(-1)?.join('  '));
};

/** The CPU seconds so far, of the server and its database. */
interface Used {
  recording: number;
  indexing: number;
}

interface Measured {
  kind: string;
  server: Server;
  used: () => Promise<Used>;
}

async function lagOf({ port }: Server): Promise<{ calls: number; seconds: number }> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz/`);
  return ((await response.json()) as { search: { calls: number; seconds: number } }).search;
}

async function untilIndexed(server: Server): Promise<void> {
  while ((await lagOf(server)).calls > 0) await pause(250);
}

async function requestsFor(server: Server, length: number, batch = BATCH): Promise<Buffer[]> {
  const runs = await startRuns(server, 8);
  const random = seeded(11);
  return Array.from({ length: REQUESTS }, (_, i) =>
    postRequest(`/api/v1/observe/runs/${runs[i % 8]}/llm-calls/`, KEY, {
      calls: Array.from({ length: batch }, () => newSearchedCall(random, length)),
    }),
  );
}

async function record(server: Server, requests: readonly Buffer[], calls: number): Promise<void> {
  const { port } = server;
  const load = { port, connections: CONNECTIONS, requests, total: Math.ceil(calls / BATCH) };
  if (calls > 0) await runLoad(load);
}

/** The CPU milliseconds for recording one call in requests of `batch` calls. */
async function recordInBatchesOf(batch: number, { server, used }: Measured): Promise<number> {
  const { port } = server;
  const requests = await requestsFor(server, LONG, batch);
  const before = await used();
  await runLoad({ port, connections: CONNECTIONS, requests, total: IN_SMALLER_BATCHES / batch });
  return (1000 * ((await used()).recording - before.recording)) / IN_SMALLER_BATCHES;
}

/** The maximum lag of indexing at a constant rate of calls. */
async function lagAt(
  rate: number,
  { server }: Measured,
): Promise<{ reached: number; seconds: number }> {
  const batch = 10;
  const requests = await requestsFor(server, LONG, batch);
  const total = Math.ceil((rate * Number(seconds)) / batch);
  const lags: number[] = [];
  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    while (!watching.signal.aborted) {
      lags.push((await lagOf(server)).seconds);
      await pause(500);
    }
  };
  const watched = watch();
  const load = { port: server.port, connections: CONNECTIONS, requests, total };
  const result = await runLoad({ ...load, perSecond: rate / batch });
  watching.abort();
  await watched;
  return { reached: (total * batch) / result.seconds, seconds: Math.max(...lags) };
}

/** Records at full speed, then waits until indexing has caught up. Returns the number of calls. */
async function measureIndexing(measured: Measured, requests: readonly Buffer[]): Promise<number> {
  const { kind, server, used } = measured;
  await record(server, requests, 5000);
  for (const batch of SMALLER_BATCHES) {
    const cost = await recordInBatchesOf(batch, measured);
    add(kind, `recording in requests of ${batch}, CPU ms per call`, cost.toFixed(3));
  }
  const { reached, seconds: lagSeconds } = await lagAt(RATE, measured);
  add(
    kind,
    `maximum index lag at ${RATE} calls/s for ${seconds} s (recorded: ${reached.toFixed(0)} calls/s)`,
    `${lagSeconds.toFixed(1)} s`,
  );
  await untilIndexed(server);
  const before = await used();
  const began = performance.now();
  let recorded = 0;
  while (performance.now() - began < Number(seconds) * 1000) {
    await record(server, requests, 5000);
    recorded += 5000;
  }
  const recording = (performance.now() - began) / 1000;
  const lag = await lagOf(server);
  const between = await used();
  const restBegan = performance.now();
  await untilIndexed(server);
  const resting = (performance.now() - restBegan) / 1000;
  // Segments are still being merged at this point.
  await pause(5000);
  const after = await used();
  const eachRecorded = (1000 * (between.recording - before.recording)) / recorded;
  const eachIndexed = (1000 * (after.indexing - before.indexing)) / recorded;
  add(kind, 'recorded, calls/s', (recorded / recording).toFixed(0));
  add(kind, 'indexed without load, calls/s', (lag.calls / resting).toFixed(0));
  add(kind, `recording in requests of ${BATCH}, CPU ms per call`, eachRecorded.toFixed(3));
  add(kind, 'indexing, CPU ms per call', eachIndexed.toFixed(3), '< recording');
  add(
    kind,
    `index lag after ${seconds} s at full speed`,
    `${lag.calls} calls, ${lag.seconds.toFixed(0)} s`,
  );
  add(kind, 'time until the index has caught up', `${resting.toFixed(1)} s`);
  const inSmaller = SMALLER_BATCHES.length * IN_SMALLER_BATCHES;
  return recorded + 5000 + inSmaller + RATE * Number(seconds);
}

async function measureSearches({ kind, server }: Measured, calls: number): Promise<void> {
  const headers = await ownerHeaders(server);
  const measureSearch = async (query: string): Promise<{ ms: number; count: number }> => {
    const began = performance.now();
    const url = `http://127.0.0.1:${server.port}/api/v1/observability/llm-calls/?${query}`;
    const response = await fetch(url, { headers });
    const { count } = (await response.json()) as { count: number };
    return { ms: performance.now() - began, count };
  };
  for (const [what, query, goal] of [
    ['a rare word', 'search=rareword', ''],
    ['a word in 0.5 % of the calls', 'search=mediumword', ''],
    ['a word in most calls', 'search=frequentword', '< 300'],
    ['the same, sorted by cost', 'search=frequentword&sort=-cost', ''],
    [
      'the same, filtered by model and start time',
      'search=frequentword&model=gpt-4o&start=2020-01-01',
      '',
    ],
    ['two words', 'search=frequentword+answer', ''],
    ['a phrase in half of the calls', 'search=gpt-4o', ''],
    ['a prefix of a word', 'search=freq*', ''],
  ] as const) {
    const times: number[] = [];
    let count = 0;
    for (let round = -2; round < ROUNDS; round += 1) {
      const result = await measureSearch(query);
      count = result.count;
      if (round >= 0) times.push(result.ms);
    }
    times.sort((a, b) => a - b);
    const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
    const name = `${what}: page and totals of ${count} of ${calls}, p50 / p95 ms`;
    add(kind, name, `${p50.toFixed(0)} / ${p95.toFixed(0)}`, goal);
  }
}

async function measure(kind: 'SQLite' | 'PostgreSQL'): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const postgres = kind === 'PostgreSQL' ? await startPostgres() : undefined;
  const server = await startControlPlane({
    DATA_DIR: dir,
    ...(postgres && { DATABASE_URL: postgres.url }),
  });
  const measured = { kind, server, used: usedBy(server.pid, postgres) };
  const calls = await measureIndexing(measured, await requestsFor(server, LONG));
  await record(server, await requestsFor(server, SHORT), Number(total) - calls);
  await untilIndexed(server);
  await pause(5000);
  await measureSearches(measured, Math.max(calls, Number(total)));
  await server.stop();
  await postgres?.stop();
  rmSync(dir, { recursive: true, force: true });
}

/**
 * Returns a function that reads the CPU seconds of the server and the database. Indexing has its
 * own thread of the server and its own connection, which are identified by name. Everything else
 * counts as recording. A process that has ended keeps its count.
 */
function usedBy(
  server: number,
  postgres: { url: string; pid: number } | undefined,
): () => Promise<Used> {
  const processes = new Map<number, number>();
  const indexers = new Set<number>();
  const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
  return async () => {
    for (const pid of [server, ...(postgres ? processTree(postgres.pid) : [])])
      processes.set(pid, processorSeconds(pid));
    if (postgres) for (const pid of await indexersOf(postgres.url)) indexers.add(pid);
    const thread = sum(threadsOf(server, 'search').map((tid) => processorSeconds(server, tid)));
    const indexing = thread + sum([...indexers].map((pid) => processes.get(pid) ?? 0));
    return { indexing, recording: sum(processes.values()) - indexing };
  };
}

async function indexersOf(url: string): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'gatehouse search'`,
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}

if (only !== 'postgres') await measure('SQLite');
if (only !== 'sqlite') await measure('PostgreSQL');
writeSection(
  'search',
  ['what', 'measured', 'goal'],
  rows,
  `Calls of 2.7 KB, recorded in batches of ${BATCH} over ${CONNECTIONS} connections; load and server share the CPUs.`,
);
