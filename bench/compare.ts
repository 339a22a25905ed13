/**
 * Compares the CPU time and the elapsed time of a recorded call in this checkout with those in
 * another one, alternating. Other programs on the machine affect CPU time less.
 *
 * compare.ts CHECKOUT [sqlite|postgres] [ROUNDS] [REQUESTS] [WAY]
 *
 * Default: 7 rounds of 60 requests. WAY is part of the name of a way of recording, such as
 * `traces`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPostgres } from '#test/support/postgres-server.ts';
import { BATCH, recorded, type Way, ways } from './support/call-requests.ts';
import { startRuns } from './support/processes.ts';
import { percentile, runLoad } from './support/load.ts';
import { untilIdle } from './support/measure.ts';
import {
  buildCheckout,
  processorSeconds,
  processTree,
  type Server,
  startBuilt,
  threadsOf,
} from './support/processes.ts';

const [other, database = 'sqlite', rounds = '7', requests = '60', only = ''] =
  process.argv.slice(2);
if (!other) throw new Error('compare.ts CHECKOUT: the folder of the other checkout is missing');
const ROUNDS = Number(rounds);
const here = join(import.meta.dirname, '..');

interface Load {
  make: Way;
  /** The number of calls in one request. */
  calls: number;
  connections: number;
  requests: number;
}

const single: Load = {
  make: recorded(1),
  calls: 1,
  connections: 32,
  requests: Number(requests) * 40,
};
const loads: ReadonlyMap<string, Load> = new Map(
  [
    ...Object.entries(ways).map(([name, make]): [string, Load] => [
      name,
      { make, calls: BATCH, connections: 4, requests: Number(requests) },
    ]),
    ['recorded one by one', single] as const,
  ].filter(([name]) => name.includes(only)),
);

/** CPU seconds. */
interface CpuTime {
  recording: number;
  indexing: number;
}

const kinds = ['CPU of recording', 'CPU of indexing', 'elapsed'] as const;

/** Microseconds per call. */
type Cost = Record<(typeof kinds)[number], number>;

interface Side {
  server: Server;
  runs: readonly string[];
  /** The process of the database, if it is a separate process. */
  databasePid: number | undefined;
  costs: Map<string, Cost[]>;
  stop(): Promise<void>;
}

async function startSide(checkout: string): Promise<Side> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const postgres = database === 'postgres' ? await startPostgres() : undefined;
  const server = await startBuilt(checkout, {
    DATA_DIR: dir,
    ...(postgres && { DATABASE_URL: postgres.url }),
  });
  return {
    server,
    runs: await startRuns(server, 8),
    databasePid: postgres?.pid,
    costs: new Map([...loads.keys()].map((name) => [name, []])),
    async stop() {
      await server.stop();
      await postgres?.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The CPU seconds so far, of the indexing thread and of all others. */
function used({ server, databasePid }: Side): CpuTime {
  const seconds = (pid: number): number => processorSeconds(pid);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const processes = [server.pid, ...(databasePid ? processTree(databasePid) : [])];
  const indexing = sum(
    threadsOf(server.pid, 'search').map((thread) => processorSeconds(server.pid, thread)),
  );
  return { indexing, recording: sum(processes.map(seconds)) - indexing };
}

async function measure(side: Side, load: Load): Promise<Cost> {
  const before = used(side);
  const sent = Array.from({ length: load.requests }, () => load.make(side.runs));
  const { seconds } = await runLoad({
    port: side.server.port,
    connections: load.connections,
    requests: sent,
    total: sent.length,
  });
  await untilIdle(side.server);
  const after = used(side);
  const each = 1e6 / (load.requests * load.calls);
  return {
    'CPU of recording': (after.recording - before.recording) * each,
    'CPU of indexing': (after.indexing - before.indexing) * each,
    elapsed: seconds * each,
  };
}

const median = (numbers: readonly number[]): number =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    50,
  );

buildCheckout(resolve(other));
buildCheckout(here);
const sides = { theirs: await startSide(resolve(other)), ours: await startSide(here) };
for (let round = 0; round <= ROUNDS; round += 1)
  for (const [name, load] of loads)
    for (const side of round % 2 ? [sides.ours, sides.theirs] : [sides.theirs, sides.ours]) {
      const cost = await measure(side, load);
      // The first round is a warm-up for the compiler.
      if (round > 0) side.costs.get(name)?.push(cost);
    }
for (const side of Object.values(sides)) await side.stop();

console.log(
  `${database}, µs per call: other checkout, this checkout, ratio (above 1: this one is faster)`,
);
for (const name of loads.keys())
  for (const kind of kinds) {
    const costsOf = ({ costs }: Side): number[] => costs.get(name)?.map((cost) => cost[kind]) ?? [];
    const [theirs, ours] = [costsOf(sides.theirs), costsOf(sides.ours)];
    const ratios = theirs.map((cost, round) => cost / (ours[round] ?? NaN));
    const figures = [median(theirs).toFixed(1), median(ours).toFixed(1), median(ratios).toFixed(2)];
    console.log(`${name}, ${kind}`.padEnd(40), figures.join('  '));
  }
