import type { Rows } from '../storage/bulk.ts';
import { groupCommit } from '../storage/group-commit.ts';
import type { Storage } from '../storage/open.ts';
import { retryConflicts } from '../storage/retry-conflicts.ts';
import type { FindTenantState } from '../tenants/tenant-states.ts';
import type { RunRef } from '../usage/count.ts';
import type { StartedRun } from './batch-id-queries.ts';
import type { NewEvaluation, NewRun, RunEnd, Telemetry } from './queries.ts';
import {
  type BatchId,
  type RecordingOutcome,
  type Target,
  type RecordingRequest,
  write,
} from './write-requests.ts';

/**
 * Writes what agents record. Concurrent requests share one transaction; each gets its own result or
 * error when the commit is durable. A repeated batch id returns the first result and stores
 * nothing.
 */
export interface Recorder {
  /** The number of requests waiting for their commit. */
  waiting(): number;
  /** @throws ApiError `not_found` if the parent run does not exist */
  start(run: NewRun, batch?: BatchId, evaluations?: readonly NewEvaluation[]): Promise<StartedRun>;
  /**
   * Returns the run; undefined if the batch was already recorded.
   *
   * @throws ApiError `not_found`
   */
  add(to: Target, telemetry: Telemetry, batch?: BatchId): Promise<RunRef | undefined>;
  /**
   * Returns the run; undefined if the batch was already recorded.
   *
   * @throws ApiError `not_found`, or `conflict` if the run is already completed
   */
  complete(
    to: Target,
    end: RunEnd,
    telemetry: Telemetry,
    batch?: BatchId,
  ): Promise<RunRef | undefined>;
  /** All events must belong to one tenant. */
  addEvents(events: Rows<'events'>, batch?: BatchId): Promise<void>;
}

export function createRecorder(
  storage: Storage,
  findTenantState: FindTenantState,
  now: () => number,
  onStored: (run: RunRef) => void,
): Recorder {
  const commit = groupCommit<RecordingRequest, RecordingOutcome>({
    sizeOf: ({ items }) => items,
    maxConcurrent: storage.maxConcurrentWrites,
    isUnavailable: (error) => storage.isUnavailable(error),
    async write(works) {
      const { outcomes, runs } = await retryConflicts(storage, () =>
        write(storage, findTenantState, works, now()),
      );
      for (const run of runs) onStored(run);
      return outcomes;
    },
  });
  let waiting = 0;
  const submit = async <T>(work: RecordingRequest): Promise<T> => {
    waiting += 1;
    try {
      const outcome = await commit(work);
      if ('error' in outcome) throw outcome.error;
      return outcome.value as T;
    } finally {
      waiting -= 1;
    }
  };
  return {
    waiting: () => waiting,
    start: (run, batch, evaluations = []) =>
      submit({ kind: 'start', tenantId: run.tenant_id, batch, items: 1, run, evaluations }),
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

const itemsOf = ({ calls = [], steps = [], spans = [], scores = [] }: Telemetry): number =>
  calls.length + steps.length + spans.length + scores.length;
