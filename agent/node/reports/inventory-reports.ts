import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import type { AppReport, NotRead } from '#contract/inventory.ts';
import { appReport } from '#contract/inventory.ts';
import type { Connection } from '../link/connection.ts';
import { startLoop } from '#lib/loop.ts';
import { throttleTrailing } from '#lib/trailing-throttle.ts';
import type { Problems } from '../status/problems.ts';
import type { Signal } from '../signal.ts';

export type ScanInventory = (
  signal: AbortSignal,
) => Promise<{ apps: AppReport[]; problems: string[]; notRead?: NotRead[] }>;

export interface InventoryReportsOptions {
  scan: ScanInventory;
  intervalMs: number;
  /** Emits when a scan may find a change. */
  changed?: Pick<Signal, 'subscribe'>;
  /** The minimum time between two scans, in ms: one installation changes many files. */
  minIntervalMs?: number;
  /** Returns whether this device may report; no scan runs before. */
  isReady: () => boolean;
  connection: Connection;
  problems: Problems;
  backoff?: BackoffLimits | undefined;
  onScanned: (apps: AppReport[]) => void;
  /** Called when the control plane has received the latest scan. */
  onSent?: () => void;
}

export interface InventoryReports {
  /** Scans and sends now, if ready. */
  runNow(): void;
  stop(): Promise<void>;
}

/** The delay after a change: the files of one installation appear one after the other. */
const DEBOUNCE_MS = 5000;

interface Report {
  batch_id: string;
  apps: AppReport[];
  not_read?: NotRead[];
}

/** The initial value of the last report and its time. */
const noReport = { apps: [] as AppReport[], notRead: [] as NotRead[], at: -Infinity };

/** The maximum number of apps in one report. */
const MAX_APPS = 5000;

/**
 * Scans at intervals, and soon after a change. The result of a scheduled scan is always sent, that
 * of another scan only if it differs. The latest result is sent until the control plane has
 * received it.
 */
export function startInventoryReports(options: InventoryReportsOptions): InventoryReports {
  const { minIntervalMs = 30_000 } = options;
  let lastReported = noReport;
  let scannedAt = -Infinity;
  let latest: Report | null = null;
  let failures = 0;

  const scanning = startLoop(async (signal) => {
    if (!options.isReady()) {
      lastReported = noReport;
      return null;
    }
    rescan.cancel();
    const found = await scanSafely(options.scan, signal);
    if (signal.aborted) return null;
    options.problems.set('inventory', found.problems);
    scannedAt = performance.now();
    const { apps, notRead } = found;
    if (apps && shouldReport({ apps, notRead })) {
      lastReported = { apps, notRead, at: scannedAt };
      options.onScanned(apps);
      latest = {
        batch_id: randomUUID(),
        apps,
        ...(notRead.length > 0 && { not_read: notRead }),
      };
      sending.runNow();
    }
    return options.intervalMs;
  });

  const rescan = throttleTrailing(scanning.runNow, DEBOUNCE_MS);

  const shouldReport = ({ apps, notRead }: Omit<typeof noReport, 'at'>): boolean =>
    scannedAt - lastReported.at >= options.intervalMs ||
    !isDeepStrictEqual([apps, notRead], [lastReported.apps, lastReported.notRead]);

  options.changed?.subscribe(() => {
    const waitMs = Math.max(DEBOUNCE_MS, scannedAt + minIntervalMs - performance.now());
    rescan.request(Math.min(waitMs, minIntervalMs));
  });

  const sending = startLoop(async (signal) => {
    const body = latest;
    if (!body) return null;
    const result = await options.connection.request('inventory upload', signal, (device) =>
      device.reportInventory({ body }, { signal }),
    );
    const failure = result.kind === 'failed' ? result.failure : null;
    // A control plane that is older than the field rejects it.
    if (failure?.status === 400 && body.not_read) {
      if (latest === body) latest = { batch_id: body.batch_id, apps: body.apps };
      return 0;
    }
    if (result.kind === 'answered' || failure?.status === 400) {
      failures = 0;
      if (result.kind === 'answered') options.onSent?.();
      // There may be a later scan by now.
      if (latest === body) latest = null;
      return latest ? 0 : null;
    }
    return failure ? backoffMs(failures++, Math.random(), options.backoff) : null;
  });

  return {
    runNow: () => {
      scanning.wake();
      sending.runNow();
    },
    stop: async () => {
      rescan.cancel();
      await scanning.stop();
      await sending.stop();
    },
  };
}

/** Runs a scan; if it fails, the previous result is kept. */
async function scanSafely(
  scan: ScanInventory,
  signal: AbortSignal,
): Promise<{ apps: AppReport[] | null; problems: string[]; notRead: NotRead[] }> {
  try {
    const { apps, problems, notRead = [] } = await scan(signal);
    const valid = apps.filter((app) => appReport.safeParse(app).success);
    if (valid.length === apps.length && valid.length <= MAX_APPS)
      return { apps, problems, notRead };
    const omission = `${apps.length - Math.min(valid.length, MAX_APPS)} apps left out of the report`;
    return {
      apps: valid.slice(0, MAX_APPS),
      problems: [...problems, omission],
      notRead: [{ kind: null, path: null, reason: omission }],
    };
  } catch (error) {
    return { apps: null, problems: [`scan failed: ${(error as Error).message}`], notRead: [] };
  }
}
