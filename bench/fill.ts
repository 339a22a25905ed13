/**
 * Fills a database with realistic runs, ten LLM calls each, through the code that records them,
 * totals and all. Goes on where it was interrupted.
 *
 * fill.ts DIR CALLS BYTES [postgres]     e.g. fill.ts /tmp/ten-million 10000000 160
 */
import { createMasker } from '#control-plane/masking/masker.ts';
import { createPricer } from '#control-plane/costs/price.ts';
import { openPrices } from '#control-plane/costs/prices-file.ts';
import { addTelemetry, type NewRun, startRuns } from '#control-plane/recording/queries.ts';
import { callRow } from '#control-plane/recording/rules.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { countEnd } from '#control-plane/usage/count.ts';
import { storeTally } from '#control-plane/usage/queries.ts';
import { newTally } from '#control-plane/usage/tally.ts';
import { newCall, seeded } from './support/calls.ts';
import { openHistory } from './support/history.ts';
import { progressBar } from './support/progress.ts';
import { startOurs } from './support/processes.ts';

const CALLS_PER_RUN = 10;
const RUNS_PER_STEP = 250;
const RUNS_PER_SESSION = 5;
const USERS = 5000;
const AGENTS = 20;
const DAYS = 60;

const [dir = '', total = '0', bytes = '160', kind = 'sqlite'] = process.argv.slice(2);
if (!dir || !(Number(total) > 0) || (kind !== 'sqlite' && kind !== 'postgres')) {
  console.error('fill.ts DIR CALLS BYTES [postgres]');
  process.exit(2);
}

/** The history ends now and is spread evenly, whatever its size. */
const END = Date.now();
const runs = Math.ceil(Number(total) / CALLS_PER_RUN);
const price = createPricer(await (await openPrices(undefined))());
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });

const timeOf = (run: number): number => {
  const span = DAYS * 24 * 3_600_000;
  return Math.floor(END - span + (span * run) / runs);
};

const runRow = (tenant_id: string, i: number): NewRun => ({
  tenant_id,
  agent_name: `agent-${i % AGENTS}`,
  workflow_name: 'default',
  parent_run_id: null,
  trace_id: null,
  session_id: `session-${Math.floor(i / RUNS_PER_SESSION)}`,
  user_id: `user-${Math.floor(i / RUNS_PER_SESSION) % USERS}`,
  user_group: null,
  tags: '[]',
  inputs: null,
  metadata: null,
  result: null,
  error: null,
  status: 'success',
  started_at: timeOf(i),
  completed_at: timeOf(i) + 4000,
});

async function fill(storage: Storage, tenantId: string, from: number, to: number): Promise<void> {
  await storage.db.transaction().execute(async (trx) => {
    const { bulk, search } = storage;
    const recording = { trx, bulk, search, tally: newTally() };
    const rows = Array.from({ length: to - from }, (_, i) => runRow(tenantId, from + i));
    const started = await startRuns(
      recording,
      rows.map((row) => ({ ...row, status: 'success' })),
    );
    const items = started.map((run, i) => {
      const random = seeded(from + i);
      const at = run.started_at + 1000;
      const calls = Array.from({ length: CALLS_PER_RUN }, () =>
        callRow(newCall(random, Number(bytes)), at, { price, masker }),
      );
      return { run, at, calls };
    });
    await addTelemetry(recording, items);
    for (const run of started) countEnd(recording.tally, run, 'success', run.started_at + 4000);
    await storeTally(trx, bulk, recording.tally);
  });
}

const history = await openHistory(dir, kind);
// The first start makes the tenant, the key and the owner.
await (await startOurs(history.env)).stop();
const storage = await openStorage({
  databaseUrl: history.env.DATABASE_URL,
  dataDir: dir,
  synchronous: 'normal',
  onProblem: console.error,
});
const { id: tenantId } = await storage.db
  .selectFrom('tenants')
  .select('id')
  .executeTakeFirstOrThrow();
const { count } = await storage.db
  .selectFrom('runs')
  .select((eb) => eb.fn.countAll<number>().as('count'))
  .executeTakeFirstOrThrow();
const bar = progressBar(runs, count);
for (let from = count; from < runs; from += RUNS_PER_STEP) {
  const to = Math.min(runs, from + RUNS_PER_STEP);
  await fill(storage, tenantId, from, to);
  bar(to);
}
await storage.close();
await history.filled();
await history.stop();
