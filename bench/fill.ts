/**
 * Fills a database with realistic runs of ten LLM calls each, using the recording code, and
 * including totals. Resumes after an interruption.
 *
 * fill.ts DIR CALLS BYTES [postgres]     e.g. fill.ts /tmp/ten-million 10000000 160
 */
import { countHours } from '#control-plane/analytics/hours/count-hours.ts';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { createPricer } from '#control-plane/costs/pricer.ts';
import { openPrices } from '#control-plane/costs/operator-price-file.ts';
import {
  type NewRun,
  type NewScore,
  type Recording,
  startRuns,
} from '#control-plane/recording/queries.ts';
import { addTelemetry } from '#control-plane/recording/telemetry-queries.ts';
import { runRecording } from '#control-plane/recording/recording-transaction.ts';
import { callRow } from '#control-plane/recording/rules.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { newCall, seeded } from './support/calls.ts';
import { countDuration } from '#control-plane/usage/count.ts';
import { openHistory } from './support/history.ts';
import { progressBar, startControlPlane } from './support/processes.ts';

const CALLS_PER_RUN = 10;
const RUNS_PER_STEP = 250;
const RUNS_PER_SESSION = 5;
const USERS = 5000;
const AGENTS = 20;
const DAYS = 60;
const DURATION_MS = 4000;

const [dir = '', total = '0', bytes = '160', kind = 'sqlite'] = process.argv.slice(2);
if (!dir || !(Number(total) > 0) || (kind !== 'sqlite' && kind !== 'postgres')) {
  console.error('fill.ts DIR CALLS BYTES [postgres]');
  process.exit(2);
}

/** The history ends now and is spread evenly, regardless of its size. */
const END = Date.now();
const runs = Math.ceil(Number(total) / CALLS_PER_RUN);
const price = createPricer(await (await openPrices(undefined))());
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });

const timeOf = (run: number): number => {
  const span = DAYS * 24 * 3_600_000;
  return Math.floor(END - span + (span * run) / runs);
};

const TAGS = ['production', 'staging', 'batch', 'eu', 'us'];
const TEAMS = 40;
const FAILED = 25;

const runRow = (tenant_id: string, i: number, api_key_id: string): NewRun => ({
  tenant_id,
  agent_name: `agent-${i % AGENTS}`,
  workflow_name: 'default',
  parent_run_id: null,
  trace_id: null,
  session_id: `session-${Math.floor(i / RUNS_PER_SESSION)}`,
  user_id: `user-${Math.floor(i / RUNS_PER_SESSION) % USERS}`,
  user_group: `team-${Math.floor(i / RUNS_PER_SESSION) % TEAMS}`,
  api_key_id,
  tags: JSON.stringify([TAGS[i % 2], TAGS[2 + (i % 3)]]),
  inputs: null,
  metadata: null,
  result: null,
  error: null,
  status: i % FAILED === 0 ? 'error' : 'success',
  started_at: timeOf(i),
  completed_at: timeOf(i) + DURATION_MS,
});

const PROVIDERS = [
  ['gpt', 'openai'],
  ['claude', 'anthropic'],
  ['gemini', 'google'],
] as const;

/** Creates a score for a run, some time after its end. */
const scoreRow = (run: number, at: number): NewScore => ({
  id: `scr_fill_${run}`,
  llm_call_id: null,
  llm_call_model: null,
  name: ['quality', 'tone'][run % 2] as string,
  data_type: 'numeric',
  source: 'evaluator',
  numeric_value: (run % 11) / 10,
  string_value: null,
  comment: null,
  metadata: null,
  author_user_id: null,
  evaluator_id: null,
  evaluator_name: null,
  created_at: at + 10_000,
});

interface Owner {
  tenantId: string;
  keyId: string;
}

async function fill(
  storage: Storage,
  { tenantId, keyId }: Owner,
  from: number,
  to: number,
): Promise<void> {
  const work = async (recording: Recording): Promise<void> => {
    const rows = Array.from({ length: to - from }, (_, i) => runRow(tenantId, from + i, keyId));
    const started = await startRuns(recording, rows);
    const items = started.map((run, i) => {
      const random = seeded(from + i);
      const at = run.started_at + 1000;
      const calls = Array.from({ length: CALLS_PER_RUN }, () => {
        const call = newCall(random, Number(bytes));
        const provider = PROVIDERS.find(([name]) => call.model.startsWith(name))?.[1];
        const duration_ms = 200 + Math.floor(random() ** 4 * 30_000);
        return callRow({ ...call, provider, duration_ms }, at, { price, masker });
      });
      return { run, at, calls, scores: [scoreRow(from + i, at)] };
    });
    await addTelemetry(recording, items);
    for (const run of started) countDuration(recording.tally, run, DURATION_MS);
  };
  await storage.transaction((tx) => runRecording(tx, storage, work));
}

const history = await openHistory(dir, kind);
// The first start creates the tenant, the key and the owner.
await (await startControlPlane(history.env)).stop();
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
const { id: keyId } = await storage.db
  .selectFrom('api_keys')
  .select('id')
  .executeTakeFirstOrThrow();
const { count } = await storage.db
  .selectFrom('runs')
  .select((eb) => eb.fn.countAll<number>().as('count'))
  .executeTakeFirstOrThrow();
const bar = progressBar(runs, count);
for (let from = count; from < runs; from += RUNS_PER_STEP) {
  const to = Math.min(runs, from + RUNS_PER_STEP);
  await fill(storage, { tenantId, keyId }, from, to);
  bar(to);
}
await countHours(storage, tenantId, END, new AbortController().signal, 0);
await storage.close();
await history.filled();
await history.stop();
