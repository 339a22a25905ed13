/**
 * Measures the cost of an LLM call over OTLP, compared with the same call recorded, alternating:
 * recorded in batches for existing runs, and recorded with its run, because a trace also creates
 * its run. On SQLite, also compared with the same spans sent to Phoenix, if installed by `node
 * bench/phoenix/install.ts`.
 *
 * otlp.ts [REQUESTS] [sqlite|postgres]
 *
 * REQUESTS is the number of requests with 100 calls in each part of a round; default 150. If a
 * database is given, only that one is measured, and the result is printed but not written to
 * RESULTS.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '#test/support/postgres-server.ts';
import { isPhoenixInstalled, phoenixVersion } from './phoenix/environment.ts';
import { type Phoenix, startPhoenix } from './phoenix/server.ts';
import {
  BATCH,
  BYTES,
  CALLS_PER_TRACE,
  callsOfRun,
  recordRuns,
  SPANS,
  tracesForPhoenix,
  ways,
} from './support/call-requests.ts';
import { type LoadResult, percentile, runConversations, runLoad } from './support/load.ts';
import { untilIdle } from './support/measure.ts';
import {
  processorSeconds,
  type Server,
  startControlPlane,
  startRuns,
} from './support/processes.ts';
import { type Row, writeSection } from './support/report.ts';

const REQUESTS = Number(process.argv[2] ?? 150);
const only = process.argv[3];
const ROUNDS = 5;
const CONNECTIONS = 4;
/** The number of connections that record runs: each of their requests is small. */
const SINGLE_CONNECTIONS = 32;
const WITH_RUNS = `recorded with its run, ${CALLS_PER_TRACE} calls each`;
/** Phoenix is much slower, and refuses requests while 20,000 spans wait to be stored. */
const PHOENIX_REQUESTS = Math.min(REQUESTS, 8);

interface Measured {
  rate: number;
  /** CPU milliseconds of the server per call, including indexing. */
  processor: number;
}

/** One way to send calls to one server. */
interface Arm {
  name: string;
  measure(): Promise<Measured>;
}

/** Sends the calls of a round. */
async function measure(server: Server, send: () => Promise<LoadResult>): Promise<Measured> {
  const before = processorSeconds(server.pid);
  const { seconds } = await send();
  await untilIdle(server);
  const calls = REQUESTS * BATCH;
  return {
    rate: calls / seconds,
    processor: ((processorSeconds(server.pid) - before) * 1000) / calls,
  };
}

const repeated = <T>(length: number, make: () => T): T[] => Array.from({ length }, make);

const armsOf = (server: Server, runs: readonly string[]): Arm[] => [
  ...Object.entries(ways).map(([name, make]) => ({
    name,
    measure: () => {
      const requests = repeated(REQUESTS, () => make(runs));
      const load = { port: server.port, connections: CONNECTIONS, requests };
      return measure(server, () => runLoad({ ...load, total: REQUESTS }));
    },
  })),
  {
    name: WITH_RUNS,
    measure: () => {
      const bodies = repeated((REQUESTS * BATCH) / CALLS_PER_TRACE, callsOfRun).values();
      const load = { port: server.port, connections: SINGLE_CONNECTIONS };
      return measure(server, () => runConversations(load, () => recordRuns(bodies)));
    },
  },
];

/**
 * Creates the arm of Phoenix, which responds before it stores. Its time ends when all spans are in
 * its database.
 */
function armOfPhoenix(phoenix: Phoenix): Arm {
  let sent = 0;
  return {
    name: `Phoenix ${phoenixVersion()}, traces, protobuf`,
    async measure() {
      const requests = Array.from({ length: PHOENIX_REQUESTS }, () => tracesForPhoenix([]));
      const [began, before] = [performance.now(), phoenix.processor()];
      const load = { port: phoenix.port, connections: CONNECTIONS, requests };
      await runLoad({ ...load, total: requests.length });
      sent += requests.length * SPANS;
      await phoenix.untilStored(sent);
      const calls = requests.length * BATCH;
      const seconds = (performance.now() - began) / 1000;
      return { rate: calls / seconds, processor: ((phoenix.processor() - before) * 1000) / calls };
    },
  };
}

async function compareWays(
  database: string,
  env: Record<string, string>,
  phoenix?: Phoenix,
): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const server = await startControlPlane({ DATA_DIR: dir, ...env });
  const arms = armsOf(server, await startRuns(server, 8));
  if (phoenix) arms.push(armOfPhoenix(phoenix));
  const measured = new Map<Arm, Measured[]>(arms.map((arm) => [arm, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const arm of arms) {
      const one = await arm.measure();
      // The first round is a warm-up for the compiler.
      if (round > 0) measured.get(arm)?.push(one);
    }
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
  return rowsOf(database, measured);
}

function rowsOf(database: string, measured: ReadonlyMap<Arm, readonly Measured[]>): Row[] {
  const [inBatches = []] = measured.values();
  const [, withRuns = []] = [...measured].find(([{ name }]) => name === WITH_RUNS) ?? [];
  return [...measured].map(([{ name }, of]): Row => {
    const ratioTo = (base: readonly Measured[]): string =>
      median(of.map(({ rate }, round) => rate / (base[round]?.rate ?? NaN))).toFixed(2);
    return [
      `${database}: ${name}`,
      median(of.map(({ rate }) => rate)).toFixed(0),
      median(of.map(({ processor }) => processor)).toFixed(3),
      ratioTo(inBatches),
      ratioTo(withRuns),
      /^(traces|logs)/.test(name) ? '≥ 0.5' : '',
    ];
  });
}

const median = (numbers: readonly number[]): number =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    50,
  );

async function onSqlite(): Promise<Row[]> {
  if (!isPhoenixInstalled())
    console.log('Phoenix is not installed and is skipped: run node bench/phoenix/install.ts');
  const phoenix = isPhoenixInstalled() ? await startPhoenix() : undefined;
  const rows = await compareWays('SQLite', {}, phoenix);
  await phoenix?.stop();
  return rows;
}

async function onPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  const rows = await compareWays('PostgreSQL', { DATABASE_URL: postgres.url });
  await postgres.stop();
  return rows;
}

const rows = [
  ...(only === 'postgres' ? [] : await onSqlite()),
  ...(only === 'sqlite' ? [] : await onPostgres()),
];
for (const row of rows) console.log(row.join('  '));
if (only === undefined)
  writeSection(
    'otlp',
    [
      'what',
      'calls/s',
      'CPU ms per call',
      'rate, times that in batches',
      'times that with runs',
      'goal',
    ],
    rows,
    `${ROUNDS} rounds of ${REQUESTS} requests over ${CONNECTIONS} connections, each of ${BATCH} calls of ${BYTES} bytes in ${BATCH / CALLS_PER_TRACE} traces; log records have no texts. A trace creates its run: the calls recorded in batches belong to existing runs, and those recorded with their runs take three requests for each (start, calls, complete) over ${SINGLE_CONNECTIONS} connections. CPU time includes indexing. Ratios are medians of the rounds: above 1 is faster. Phoenix received ${PHOENIX_REQUESTS} requests per round, timed until all their spans were stored.`,
  );
