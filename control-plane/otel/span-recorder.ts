import { groupCommit } from '../storage/group-commit.ts';
import { type Destination, type MaskedBatch, storeBatches, type Traced } from './store.ts';

/** The reasons why a quota rejected spans, by trace. */
export type Refusals = ReadonlyMap<string, string>;

/** Called once for the traces that a commit changed. */
export type OnTraced = (traced: readonly Traced[]) => Promise<void>;

/**
 * Stores spans. Requests that arrive together share a transaction, and those of one origin also
 * share its statements, as if one request had contained all of them. Each request gets its result
 * when the commit is durable and `onTraced` has ended.
 */
export type RecordSpans = (batch: MaskedBatch) => Promise<Refusals>;

/** An estimate: a span is a row itself, and most are also a call or an update of their trace. */
const ROWS_PER_SPAN = 10;

export function createSpanRecorder(to: Destination, onTraced: OnTraced): RecordSpans {
  const { storage } = to;
  const commit = groupCommit<MaskedBatch, Recorded>({
    sizeOf: ({ spans }) => spans.length * ROWS_PER_SPAN,
    maxConcurrent: storage.maxConcurrentWrites,
    isUnavailable: (error) => storage.isUnavailable(error),
    write: (batches) => write(to, batches, onTraced),
  });
  return async (batch) => {
    const { refusals, evaluated } = await commit(batch);
    await evaluated;
    return refusals;
  };
}

interface Recorded {
  refusals: Refusals;
  /** Not awaited by the group, so that the next one may commit in the meantime. */
  evaluated: Promise<void>;
}

async function write(
  to: Destination,
  batches: readonly MaskedBatch[],
  onTraced: OnTraced,
): Promise<Recorded[]> {
  const origins = [...Map.groupBy(batches, originOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const joined = origins.map(([, ofOrigin]) => joinBatches(ofOrigin));
  const stored = await storeBatches(to, joined);
  const recorded = new Map(
    origins.map(([origin], index): [string, Recorded] => {
      const { traced = [], refusals = new Map<string, string>() } = stored[index] ?? {};
      return [origin, { refusals, evaluated: onTraced(traced) }];
    }),
  );
  return batches.map((batch) => recorded.get(originOf(batch)) as Recorded);
}

const originOf = ({ tenantId, device, keyId }: MaskedBatch): string =>
  JSON.stringify([tenantId, device?.deviceId, device?.userGroup, keyId]);

/** Joins batches of one origin; the last one has the latest settings. */
function joinBatches(batches: readonly MaskedBatch[]): MaskedBatch {
  const last = batches.at(-1) as MaskedBatch;
  if (batches.length === 1) return last;
  return {
    ...last,
    at: Math.max(...batches.map(({ at }) => at)),
    spans: batches.flatMap(({ spans }) => spans),
    rejected: batches.flatMap(({ rejected }) => rejected),
    unmapped: batches.flatMap(({ unmapped = [] }) => unmapped),
  };
}
