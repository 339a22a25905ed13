import type { AppReport, FlowReport } from '#contract/fleet.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { OnRun } from '../recording/queries.ts';
import type { Rows } from '../storage/bulk.ts';
import { groupCommit } from '../storage/group-commit.ts';
import type { Storage } from '../storage/open.ts';
import { retryUnique } from '../storage/retry-unique.ts';
import { tenantsWithQuotas } from '../tenancy/quotas.ts';
import type { CapturedCall, PreparedCapture } from '../captures/captured-call.ts';
import { recordCalls } from '../captures/record-captured-calls.ts';
import { lockScans, noteChanges } from '../inventory/queries.ts';
import { type Batch, claimBatches, storeReports, touchDevices } from './queries.ts';
import { appRow, flowRow } from './rows.ts';

/** A batch as a device sends it; all of it is stored, or nothing. */
export interface ReportBatch extends Batch {
  /** When it arrived, in milliseconds since 1970. */
  at: number;
  flows?: readonly FlowReport[];
  /** All apps of one scan. */
  apps?: readonly AppReport[];
  /** Masked already. */
  captures?: readonly PreparedCapture[];
}

/** What became of a batch. Of captures only those are accepted that were not known yet. */
export interface StoredReport {
  accepted: number;
  duplicate: boolean;
  /** Those that were made of captures. */
  runs?: readonly OnRun[];
}

type Take = (batch: ReportBatch) => Promise<StoredReport>;

// Whoever takes reports has no more than the storage in hand, so the storage is what leads here.
const writers = new WeakMap<Storage, Take>();

/**
 * Stores a batch once. Batches that arrive together share one transaction; each is answered when
 * that is durable.
 */
export function takeBatch(storage: Storage, batch: ReportBatch): Promise<StoredReport> {
  let take = writers.get(storage);
  if (!take) {
    take = groupCommit<ReportBatch, StoredReport>({
      sizeOf: ({ flows = [], apps = [], captures = [] }) =>
        flows.length + apps.length + captures.length,
      isUnavailable: (error) => storage.isUnavailable(error),
      write: (batches) => retryUnique(storage, () => write(storage, batches)),
      atOnce: storage.writers,
    });
    writers.set(storage, take);
  }
  return take(batch);
}

async function write(storage: Storage, batches: readonly ReportBatch[]): Promise<StoredReport[]> {
  const calling = batches.filter(({ captures = [] }) => captures.some(({ call }) => call));
  const lines = await tenantsWithQuotas(
    storage,
    calling.map(({ device }) => device.tenantId),
  );
  return storage.db.transaction().execute(async (trx) => {
    const { bulk } = storage;
    const into = { trx, bulk };
    const now = Math.max(...batches.map(({ at }) => at));
    const scanned = batches.filter(({ apps }) => apps).map(({ device }) => device);
    await lockScans(storage, trx, scanned);
    const areNew = await claimBatches(into, batches, now);
    const fresh = batches.filter((_, index) => areNew[index]);
    const apps = fresh.flatMap(({ device, apps: of = [] }) =>
      of.map((one) => appRow(device, one, now)),
    );
    const scans = fresh.filter(({ apps: of }) => of);
    await noteChanges(into, devicesOf(scans), apps);
    const anew = await storeReports(into, {
      flows: fresh.flatMap(({ device, flows = [] }) => flows.map((of) => flowRow(device, of, now))),
      apps,
      captures: fresh.flatMap(({ captures = [] }) => captures.map(({ row }) => row)),
    });
    await touchDevices(into, devicesOf(batches), { last_seen: now });
    await touchDevices(into, devicesOf(scans), { last_seen: now, scanned_at: now });
    const stored = new Set(anew);
    const calls = fresh.flatMap(({ captures = [] }) => callsOf(captures, stored));
    const recorded = await recordCalls(storage, trx, calls, { tenants: lines, now });
    const runsOf = ({ captures = [] }: ReportBatch): OnRun[] =>
      callsOf(captures, stored).flatMap((call) => recorded.get(call) ?? []);
    return batches.map((batch, index) =>
      areNew[index]
        ? { accepted: countAccepted(batch, stored), duplicate: false, runs: runsOf(batch) }
        : { accepted: 0, duplicate: true },
    );
  });
}

const devicesOf = (some: readonly ReportBatch[]): DeviceCaller[] =>
  some.map(({ device }) => device);

type Stored = ReadonlySet<Rows<'captures'>[number]>;

const callsOf = (captures: readonly PreparedCapture[], stored: Stored): CapturedCall[] =>
  captures.flatMap(({ row, call }) => (call && stored.has(row) ? call : []));

const countAccepted = (
  { flows = [], apps = [], captures = [] }: ReportBatch,
  stored: Stored,
): number => flows.length + apps.length + captures.filter(({ row }) => stored.has(row)).length;
