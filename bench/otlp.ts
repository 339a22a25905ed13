/**
 * What an LLM call costs over OTLP, beside the same call recorded in batches, by turns.
 *
 * otlp.ts [REQUESTS]     requests of 100 calls in each part of a round; 150 unless said
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '#test/support/postgres-server.ts';
import { BATCH, BYTES, CALLS_PER_TRACE, ways } from './support/call-requests.ts';
import { percentile, runLoad } from './support/load.ts';
import { untilIdle } from './support/measure.ts';
import {
  processorSeconds,
  type Server,
  startControlPlane,
  startRuns,
} from './support/processes.ts';
import { type Row, writeSection } from './support/report.ts';

const REQUESTS = Number(process.argv[2] ?? 150);
const ROUNDS = 5;
const CONNECTIONS = 4;

interface Measured {
  rate: number;
  /** Milliseconds of the server's processor for each call, indexing included. */
  processor: number;
}

async function measure(server: Server, requests: readonly Buffer[]): Promise<Measured> {
  const before = processorSeconds(server.pid);
  const load = { port: server.port, connections: CONNECTIONS, requests, total: requests.length };
  const result = await runLoad(load);
  await untilIdle(server);
  const calls = result.requests * BATCH;
  const seconds = processorSeconds(server.pid) - before;
  return { rate: calls / result.seconds, processor: (seconds * 1000) / calls };
}

async function compareWays(database: string, env: Record<string, string>): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const server = await startControlPlane({ DATA_DIR: dir, ...env });
  const runs = await startRuns(server, 8);
  const measured = new Map<string, Measured[]>(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [way, make] of Object.entries(ways)) {
      const requests = Array.from({ length: REQUESTS }, () => make(runs));
      const one = await measure(server, requests);
      // The first round is for the compiler.
      if (round > 0) measured.get(way)?.push(one);
    }
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
  const [base = []] = measured.values();
  return [...measured].map(([way, of]): Row => {
    const ratios = of.map(({ rate }, round) => rate / (base[round]?.rate ?? NaN));
    return [
      `${database}: ${way}`,
      median(of.map(({ rate }) => rate)).toFixed(0),
      median(of.map(({ processor }) => processor)).toFixed(3),
      median(ratios).toFixed(2),
      of === base ? '' : '≥ 0.5',
    ];
  });
}

const median = (numbers: readonly number[]): number =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    50,
  );

const postgres = await startPostgres();
const rows = [
  ...(await compareWays('SQLite', {})),
  ...(await compareWays('PostgreSQL', { DATABASE_URL: postgres.url })),
];
await postgres.stop();
for (const row of rows) console.log(row.join('  '));
writeSection(
  'otlp',
  ['what', 'calls/s', 'processor, ms a call', 'ratio', 'goal'],
  rows,
  `${CONNECTIONS} connections, ${ROUNDS} rounds of ${REQUESTS} requests, each of ${BATCH} calls of ${BYTES} bytes in ${BATCH / CALLS_PER_TRACE} traces; log records have no texts. Processor time includes indexing.`,
);
