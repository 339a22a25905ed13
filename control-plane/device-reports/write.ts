import type { AppReport, FlowReport, NotRead } from '#contract/fleet.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { OnRun } from '../recording/queries.ts';
import type { Rows } from '../storage/bulk.ts';
import { groupCommit } from '../storage/group-commit.ts';
import type { Storage } from '../storage/open.ts';
import { retryUnique } from '../storage/retry-unique.ts';
import { tenantsWithQuotas } from '../tenancy/quotas.ts';
import type { CapturedCall, PreparedCapture } from '../captures/captured-call.ts';
import { recordCalls } from '../captures/record-captured-calls.ts';
import { lastKnownApps, type PartialScan } from '../inventory/last-known.ts';
import { lockScans, noteChanges } from '../inventory/queries.ts';
import { type Batch, claimBatches, storeReports, touchDevices } from './queries.ts';
import { appRow, flowRow } from './rows.ts';

/** A batch sent by a device, stored in full or not at all. */
export interface ReportBatch extends Batch {
  /** When it arrived, in milliseconds since 1970. */
  at: number;
  flows?: readonly FlowReport[];
  /** All apps of one scan. */
  apps?: readonly AppReport[];
  /** Places that were not read, so apps of them may be missing in the report. */
  notRead?: readonly NotRead[];
  /** Already masked. */
  captures?: readonly PreparedCapture[];
}

/** Result of storing a batch. Only captures that were not stored before are accepted. */
export interface StoredReport {
  accepted: number;
  duplicate: boolean;
  /** Runs created from captures. */
  runs?: readonly OnRun[];
}

type Take = (batch: ReportBatch) => Promise<StoredReport>;

// Keyed by storage, because callers have only the storage at hand.
const writers = new WeakMap<Storage, Take>();

/**
 * Stores a batch once. Concurrent batches share one transaction; each call resolves when it is
 * durable.
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
  const lineages = await tenantsWithQuotas(
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
    const reported = fresh.flatMap(({ device, apps: of = [] }) =>
      of.map((report) => appRow(device, report, now)),
    );
    const scans = fresh.filter(({ apps: of }) => of);
    const lastKnown = await lastKnownApps(trx, scans.map(asPartial), reported, now);
    const apps = [...reported, ...lastKnown];
    await noteChanges(into, devicesOf(scans), apps);
    const freshReports = await storeReports(into, {
      flows: fresh.flatMap(({ device, flows = [] }) => flows.map((of) => flowRow(device, of, now))),
      apps,
      captures: fresh.flatMap(({ captures = [] }) => captures.map(({ row }) => row)),
    });
    await touchDevices(into, devicesOf(batches), { last_seen: now });
    await touchDevices(into, devicesOf(scans), { last_seen: now, scanned_at: now });
    const stored = new Set(freshReports);
    const calls = fresh.flatMap(({ captures = [] }) => callsOf(captures, stored));
    const recorded = await recordCalls(storage, trx, calls, { tenants: lineages, now });
    const runsOf = ({ captures = [] }: ReportBatch): OnRun[] =>
      callsOf(captures, stored).flatMap((call) => recorded.get(call) ?? []);
    return batches.map((batch, index) =>
      areNew[index]
        ? { accepted: countAccepted(batch, stored), duplicate: false, runs: runsOf(batch) }
        : { accepted: 0, duplicate: true },
    );
  });
}

/** An agent that does not say what it left out cuts a report at the most that one may hold. */
const asPartial = ({ device, apps = [], notRead }: ReportBatch): PartialScan => ({
  device,
  notRead: notRead ?? (apps.length < MOST_APPS ? [] : [WAS_FULL]),
});

const MOST_APPS = 5000;
const WAS_FULL = { kind: null, path: null, reason: 'the report was full' };

const devicesOf = (some: readonly ReportBatch[]): DeviceCaller[] =>
  some.map(({ device }) => device);

type Stored = ReadonlySet<Rows<'captures'>[number]>;

const callsOf = (captures: readonly PreparedCapture[], stored: Stored): CapturedCall[] =>
  captures.flatMap(({ row, call }) => (call && stored.has(row) ? call : []));

const countAccepted = (
  { flows = [], apps = [], captures = [] }: ReportBatch,
  stored: Stored,
): number => flows.length + apps.length + captures.filter(({ row }) => stored.has(row)).length;
