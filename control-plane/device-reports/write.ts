import type { FlowReport } from '#contract/flows.ts';
import type { AppReport, NotRead } from '#contract/inventory.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { RunTelemetry } from '../recording/telemetry-queries.ts';
import type { Rows } from '../storage/bulk.ts';
import { groupCommit } from '../storage/group-commit.ts';
import type { Storage } from '../storage/open.ts';
import { retryConflicts } from '../storage/retry-conflicts.ts';
import { tenantsWithQuotas } from '../tenants/quotas.ts';
import type { FindTenantState } from '../tenants/tenant-states.ts';
import type { CapturedCall, PreparedCapture } from '../captures/captured-call.ts';
import { recordCapturedCalls } from '../captures/record-captured-calls.ts';
import { summarizeDeviceApps } from '../inventory/device-app-queries.ts';
import { lastKnownApps, type PartialScan } from '../inventory/last-known.ts';
import { lockScans, recordChangedGroups } from '../inventory/queries.ts';
import { type Batch, claimBatches, storeReports, touchDevices } from './queries.ts';
import { appRow, flowRow } from './rows.ts';

/** A batch sent by a device, which is stored either completely or not at all. */
export interface ReportBatch extends Batch {
  /** When it arrived, in milliseconds since 1970. */
  at: number;
  flows?: readonly FlowReport[];
  /** All apps of one scan. */
  apps?: readonly AppReport[];
  /** Places that were not read, so that apps there may be missing in the report. */
  notRead?: readonly NotRead[];
  /** Already masked. */
  captures?: readonly PreparedCapture[];
}

/** The result of storing a batch. Only captures that were not stored before are accepted. */
export interface StoredReport {
  accepted: number;
  duplicate: boolean;
  /** Runs created from captures. */
  runs?: readonly RunTelemetry[];
}

/**
 * Stores a batch once. Concurrent batches share one transaction. Each call resolves when the batch
 * is durable.
 */
export type StoreBatch = (batch: ReportBatch) => Promise<StoredReport>;

export const createBatchWriter = (storage: Storage, findTenantState: FindTenantState): StoreBatch =>
  groupCommit<ReportBatch, StoredReport>({
    sizeOf: ({ flows = [], apps = [], captures = [] }) =>
      flows.length + apps.length + captures.length,
    isUnavailable: (error) => storage.isUnavailable(error),
    write: (batches) => retryConflicts(storage, () => write(storage, findTenantState, batches)),
    maxConcurrent: storage.maxConcurrentWrites,
  });

async function write(
  storage: Storage,
  findTenantState: FindTenantState,
  batches: readonly ReportBatch[],
): Promise<StoredReport[]> {
  const calling = batches.filter(({ captures = [] }) =>
    captures.some(({ calls }) => calls.length > 0),
  );
  const lineages = await tenantsWithQuotas(
    findTenantState,
    calling.map(({ device }) => device.tenantId),
  );
  return storage.transaction(async (tx) => {
    const now = Math.max(...batches.map(({ at }) => at));
    const scanned = batches.filter(({ apps }) => apps).map(({ device }) => device);
    await lockScans(tx, scanned);
    const areNew = await claimBatches(tx, batches, now);
    const fresh = batches.filter((_, index) => areNew[index]);
    const reported = fresh.flatMap(({ device, apps: of = [] }) =>
      of.map((report) => appRow(device, report, now)),
    );
    const scans = fresh.filter(({ apps: of }) => of);
    const lastKnown = await lastKnownApps(tx, scans.map(asPartial), reported, now);
    const apps = [...reported, ...lastKnown];
    await recordChangedGroups(tx, devicesOf(scans), apps);
    const freshReports = await storeReports(tx, {
      flows: fresh.flatMap(({ device, flows = [] }) => flows.map((of) => flowRow(device, of, now))),
      apps,
      captures: fresh.flatMap(({ captures = [] }) => captures.map(({ row }) => row)),
    });
    await touchDevices(tx, devicesOf(batches), { last_seen: now });
    await touchDevices(tx, devicesOf(scans), { last_seen: now, scanned_at: now });
    for (const [tenantId, devices] of Map.groupBy(devicesOf(scans), (one) => one.tenantId))
      await summarizeDeviceApps(
        tx,
        tenantId,
        devices.map(({ deviceId }) => deviceId),
      );
    const stored = new Set(freshReports);
    const calls = fresh.flatMap(({ captures = [] }) => callsOf(captures, stored));
    const recorded = await recordCapturedCalls(tx, storage, calls, { tenants: lineages, now });
    const runsOf = ({ captures = [] }: ReportBatch): RunTelemetry[] =>
      callsOf(captures, stored).flatMap((call) => recorded.get(call) ?? []);
    return batches.map((batch, index) =>
      areNew[index]
        ? { accepted: countAccepted(batch, stored), duplicate: false, runs: runsOf(batch) }
        : { accepted: 0, duplicate: true },
    );
  });
}

/**
 * Returns the scan with the places that were not read. An agent that does not report these cuts a
 * report at its maximum size.
 */
const asPartial = ({ device, apps = [], notRead }: ReportBatch): PartialScan => ({
  device,
  notRead: notRead ?? (apps.length < MAX_APPS ? [] : [WAS_FULL]),
});

const MAX_APPS = 5000;
const WAS_FULL = { kind: null, path: null, reason: 'the report was full' };

const devicesOf = (some: readonly ReportBatch[]): DeviceCaller[] =>
  some.map(({ device }) => device);

type Stored = ReadonlySet<Rows<'captures'>[number]>;

const callsOf = (captures: readonly PreparedCapture[], stored: Stored): CapturedCall[] =>
  captures.flatMap(({ row, calls }) => (stored.has(row) ? calls : []));

const countAccepted = (
  { flows = [], apps = [], captures = [] }: ReportBatch,
  stored: Stored,
): number => flows.length + apps.length + captures.filter(({ row }) => stored.has(row)).length;
