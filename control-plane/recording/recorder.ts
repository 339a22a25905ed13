import { ApiError } from '#contract/errors.ts';
import type { Storage } from '../storage/open.ts';
import { storeTally } from '../usage/queries.ts';
import { newTally } from '../usage/tally.ts';
import type { RunRef } from '../usage/count.ts';
import {
  addTelemetry,
  completeRun,
  findRuns,
  type NewRun,
  type OnRun,
  type Recording,
  type RunEnd,
  startRuns,
  type Telemetry,
} from './queries.ts';

/**
 * Writes what agents record. Requests that arrive together share one transaction, and so one
 * commit: each is answered when that commit is durable, or with its own refusal.
 */
export interface Recorder {
  /** @throws ApiError `not_found` when the parent is not there */
  start(run: NewRun): Promise<{ id: number; workflow_id: number }>;
  /** @throws ApiError `not_found` */
  add(to: Target, telemetry: Telemetry): Promise<void>;
  /** @throws ApiError `not_found`, or `conflict` when it is completed already */
  complete(to: Target, end: RunEnd, telemetry: Telemetry): Promise<void>;
}

export interface Target {
  tenantId: string;
  runId: number;
  /** Milliseconds since 1970. */
  at: number;
}

type Work =
  | { kind: 'start'; run: NewRun }
  | { kind: 'add'; to: Target; telemetry: Telemetry }
  | { kind: 'complete'; to: Target; end: RunEnd; telemetry: Telemetry };

interface Waiting {
  work: Work;
  rows: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** What became of one piece of work: a value, or why it was refused. */
type Outcome = { value: unknown } | { refusal: ApiError };

const ROWS_PER_COMMIT = 5000;

export function createRecorder(storage: Storage, onStored: (run: RunRef) => void): Recorder {
  let queue: Waiting[] = [];
  let busy = false;

  const submit = <T>(work: Work, rows: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, rows, resolve: resolve as (value: unknown) => void, reject });
      if (busy) return;
      busy = true;
      // After this turn of the event loop: whoever else was read in it shares the commit.
      setImmediate(() => void drain());
    });

  async function drain(): Promise<void> {
    while (queue.length > 0) await commit(takeGroup());
    busy = false;
  }

  function takeGroup(): Waiting[] {
    let rows = 0;
    let end = 0;
    while (
      end < queue.length &&
      (end === 0 || rows + (queue[end] as Waiting).rows <= ROWS_PER_COMMIT)
    )
      rows += (queue[end++] as Waiting).rows;
    const group = queue.slice(0, end);
    queue = queue.slice(end);
    return group;
  }

  async function commit(group: Waiting[]): Promise<void> {
    try {
      const { outcomes, runs } = await write(
        storage,
        group.map(({ work }) => work),
      );
      group.forEach((waiting, index) => settle(waiting, outcomes[index] as Outcome));
      for (const run of runs) onStored(run);
    } catch (error) {
      // One that cannot be stored must not take the others with it. When the database is away
      // nobody knows whether it committed: trying again could store twice.
      if (group.length > 1 && !storage.isUnavailable(error))
        for (const one of group) await commit([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  return {
    start: (run) => submit({ kind: 'start', run }, 1),
    add: (to, telemetry) => submit({ kind: 'add', to, telemetry }, rowsOf(telemetry)),
    complete: (to, end, telemetry) =>
      submit({ kind: 'complete', to, end, telemetry }, 1 + rowsOf(telemetry)),
  };
}

function settle({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('value' in outcome) resolve(outcome.value);
  else reject(outcome.refusal);
}

const rowsOf = ({ calls = [], steps = [], spans = [], scores = [] }: Telemetry): number =>
  calls.length + steps.length + spans.length + scores.length;

/** All of it in one transaction. A refusal writes nothing and harms nobody else. */
function write(
  storage: Storage,
  works: readonly Work[],
): Promise<{ outcomes: Outcome[]; runs: RunRef[] }> {
  return storage.db.transaction().execute(async (trx) => {
    const { bulk, search } = storage;
    const recording: Recording = { trx, bulk, search, tally: newTally() };
    const outcomes = new Map<Work, Outcome>();
    const known = await findTargets(recording, works);
    const started = await start(recording, works, known, outcomes);
    const telemetry: OnRun[] = [];
    for (const work of works) {
      if (work.kind === 'start') continue;
      const run = known.get(targetKey(work.to.tenantId, work.to.runId));
      const refusal = run
        ? work.kind === 'complete' && (await end(recording, run, work.end))
        : noRun(work.to.runId);
      if (run && !refusal) telemetry.push({ run, at: work.to.at, ...work.telemetry });
      outcomes.set(work, refusal ? { refusal } : { value: undefined });
    }
    await addTelemetry(recording, telemetry);
    await storeTally(trx, bulk, recording.tally);
    return {
      outcomes: works.map((work) => outcomes.get(work) as Outcome),
      runs: [...started, ...telemetry.map(({ run }) => run)],
    };
  });
}

const noRun = (id: number): ApiError => new ApiError('not_found', `there is no run ${id}`);

const targetKey = (tenantId: string, runId: number): string => `${tenantId} ${runId}`;

/** The runs that the works speak of. */
async function findTargets(
  recording: Recording,
  works: readonly Work[],
): Promise<Map<string, RunRef>> {
  const wanted = new Map<string, Set<number>>();
  const want = (tenantId: string, id: number | null | undefined): void => {
    if (typeof id !== 'number') return;
    const ids = wanted.get(tenantId) ?? new Set();
    wanted.set(tenantId, ids.add(id));
  };
  for (const work of works)
    if (work.kind === 'start') want(work.run.tenant_id, work.run.parent_run_id);
    else want(work.to.tenantId, work.to.runId);
  const found = new Map<string, RunRef>();
  for (const [tenantId, ids] of wanted)
    for (const [id, run] of await findRuns(recording, tenantId, [...ids]))
      found.set(targetKey(tenantId, id), run);
  return found;
}

async function start(
  recording: Recording,
  works: readonly Work[],
  known: ReadonlyMap<string, RunRef>,
  outcomes: Map<Work, Outcome>,
): Promise<RunRef[]> {
  const starting: Extract<Work, { kind: 'start' }>[] = [];
  for (const work of works) {
    if (work.kind !== 'start') continue;
    const { tenant_id, parent_run_id: parent } = work.run;
    if (typeof parent === 'number' && !known.has(targetKey(tenant_id, parent)))
      outcomes.set(work, { refusal: noRun(parent) });
    else starting.push(work);
  }
  if (starting.length === 0) return [];
  const runs = await startRuns(
    recording,
    starting.map(({ run }) => run),
  );
  starting.forEach((work, index) => outcomes.set(work, { value: runs[index] }));
  return runs;
}

async function end(
  recording: Recording,
  run: RunRef,
  runEnd: RunEnd,
): Promise<ApiError | undefined> {
  // Clocks differ: a run does not end before it starts.
  const completed_at = Math.max(runEnd.completed_at, run.started_at);
  if (
    run.status === 'running' &&
    (await completeRun(recording, run, { ...runEnd, completed_at }))
  ) {
    // Whoever else completes it in this transaction is late.
    run.status = runEnd.status;
    return undefined;
  }
  return new ApiError('conflict', `run ${run.id} is completed already`);
}
