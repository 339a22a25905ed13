/**
 * Measures arbitrary filters, sort orders and totals over the calls of a database (created by
 * fill.ts), compared with a bare scan of the same range of the same index, and their effect on
 * recording.
 *
 * scans.ts DIR
 */
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { ownerHeaders, startControlPlane } from './support/processes.ts';
import { openHistory } from './support/history.ts';
import { percentile, runLoad } from './support/load.ts';
import { requestsFor } from './support/measure.ts';
import { writeSection } from './support/report.ts';

const [dir = ''] = process.argv.slice(2);
const ROUNDS = 20;
const FILTERED =
  'llm-calls/?min_tokens=700&max_cost=0.05&model=gpt-4o&model=gpt-4o-mini&sort=-cost';

const history = await openHistory(dir);
const server = await startControlPlane(history.env);
const headers = await ownerHeaders(server);
const base = `http://127.0.0.1:${server.port}/api/v1/observability/`;
const measureRequest = async (path: string): Promise<number> => {
  const began = performance.now();
  const response = await fetch(`${base}${path}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - began;
};

const SUMS = 'select count(*), sum(cost), sum(total_tokens) from llm_calls';
const OURS = 'where tenant_id = (select id from tenants)';

interface BareScan {
  scan(): Promise<unknown>;
  close(): Promise<unknown>;
}

function scanSqlite(): BareScan {
  const database = new BetterSqlite3(join(dir, 'gatehouse.db'), { readonly: true });
  const bare = database.prepare(`${SUMS} indexed by llm_calls_by_time ${OURS}`);
  return { scan: async () => bare.get(), close: async () => database.close() };
}

async function scanPostgres(url: string): Promise<BareScan> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const way of ['seqscan', 'bitmapscan']) await client.query(`set enable_${way} = off`);
  return { scan: () => client.query(`${SUMS} ${OURS}`), close: () => client.end() };
}

const url = history.env.DATABASE_URL;
const bare = url ? await scanPostgres(url) : scanSqlite();
const scan = async (): Promise<number> => {
  const began = performance.now();
  await bare.scan();
  return performance.now() - began;
};

const p95 = (times: number[]): number =>
  percentile(
    times.sort((a, b) => a - b),
    95,
  );
const times: Record<'filtered' | 'bare' | 'first', number[]> = {
  filtered: [],
  bare: [],
  first: [],
};
for (let round = -3; round < ROUNDS; round += 1) {
  const one = {
    filtered: await measureRequest(FILTERED),
    bare: await scan(),
    first: await measureRequest('llm-calls/'),
  };
  if (round >= 0)
    for (const kind of ['filtered', 'bare', 'first'] as const) times[kind].push(one[kind]);
}

const shape = { batch: 10, connections: 8, requests: 10_000, bytes: 1000 };
const requests = await requestsFor(server, shape);
const load = () =>
  runLoad({ port: server.port, connections: shape.connections, requests, total: shape.requests });
await load();
const alone = await load();
const loaded = new AbortController();
const scans = (async () => {
  let count = 0;
  for (; !loaded.signal.aborted; count += 1) await measureRequest(FILTERED);
  return count;
})();
const beside = await load();
loaded.abort();
const scansBeside = await scans;
await bare.close();
await server.stop();
await history.stop();

const [filtered, bareMs, first] = [p95(times.filtered), p95(times.bare), p95(times.first)];
const [p99, p99Beside] = [alone, beside].map(({ latencies }) => percentile(latencies, 99)) as [
  number,
  number,
];
writeSection(
  history.kind === 'sqlite' ? 'scans' : 'scansOnPostgres',
  ['what', 'measured', 'beside', 'ratio', 'goal'],
  [
    [
      'filter by models, tokens and cost, sort by cost, count and totals, p95',
      `${filtered.toFixed(0)} ms`,
      `bare index scan ${bareMs.toFixed(0)} ms`,
      (filtered / bareMs).toFixed(1),
      '< 10',
    ],
    [
      'p99 of a recording request (10 calls, 8 connections) during these queries',
      `${p99Beside.toFixed(1)} ms, ${scansBeside} scans`,
      `without them ${p99.toFixed(1)} ms`,
      (p99Beside / p99).toFixed(2),
      '≤ 2',
    ],
    [
      'first page of llm-calls with count and totals, p95',
      `${first.toFixed(1)} ms`,
      "peers' 3,000–6,000 ms",
      `${(3000 / first).toFixed(0)} × faster than 3 s`,
      '≥ 50 ×',
    ],
  ],
);
