import type { Rows } from '../storage/bulk.ts';
import type { Storage } from '../storage/open.ts';
import type { RunRef } from '../usage/count.ts';
import type { StartedRun } from './batches/queries.ts';
import type { NewRun, RunEnd, Telemetry } from './queries.ts';
import { type BatchId, type Outcome, type Target, type Work, write } from './write.ts';

/**
 * Writes what agents record. Requests that arrive together share one transaction, and so one
 * commit: each is answered when that commit is durable, or with its own refusal. What comes under
 * an id that was recorded already is answered as then, and not stored again.
 */
export interface Recorder {
  /** @throws ApiError `not_found` when the parent is not there */
  start(run: NewRun, batch?: BatchId): Promise<StartedRun>;
  /** @throws ApiError `not_found` */
  add(to: Target, telemetry: Telemetry, batch?: BatchId): Promise<void>;
  /** @throws ApiError `not_found`, or `conflict` when it is completed already */
  complete(to: Target, end: RunEnd, telemetry: Telemetry, batch?: BatchId): Promise<void>;
  /** All of one tenant. */
  addEvents(events: Rows<'events'>, batch?: BatchId): Promise<void>;
}

interface Waiting {
  work: Work;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

const ROWS_PER_COMMIT = 5000;

export function createRecorder(
  storage: Storage,
  now: () => number,
  onStored: (run: RunRef) => void,
): Recorder {
  let queue: Waiting[] = [];
  let busy = false;

  const submit = <T>(work: Work): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
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
      (end === 0 || rows + rowsOf(queue[end] as Waiting) <= ROWS_PER_COMMIT)
    )
      rows += rowsOf(queue[end++] as Waiting);
    const group = queue.slice(0, end);
    queue = queue.slice(end);
    return group;
  }

  async function commit(group: Waiting[]): Promise<void> {
    try {
      const { outcomes, runs } = await write(
        storage,
        group.map(({ work }) => work),
        now(),
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
    start: (run, batch) => submit({ kind: 'start', tenantId: run.tenant_id, batch, items: 1, run }),
    add: (to, telemetry, batch) => {
      const items = itemsOf(telemetry);
      return submit({ kind: 'add', tenantId: to.tenantId, batch, items, to, telemetry });
    },
    complete: (to, end, telemetry, batch) => {
      const items = itemsOf(telemetry);
      return submit({ kind: 'complete', tenantId: to.tenantId, batch, items, to, end, telemetry });
    },
    addEvents: async (events, batch) => {
      const tenantId = events[0]?.tenant_id;
      if (tenantId) await submit({ kind: 'events', tenantId, batch, items: events.length, events });
    },
  };
}

const rowsOf = ({ work }: Waiting): number => work.items + 1;

function settle({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('value' in outcome) resolve(outcome.value);
  else reject(outcome.refusal);
}

const itemsOf = ({ calls = [], steps = [], spans = [], scores = [] }: Telemetry): number =>
  calls.length + steps.length + spans.length + scores.length;
