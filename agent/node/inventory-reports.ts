import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import type { AppReport, NotRead } from '#contract/fleet.ts';
import { appReport } from '#contract/fleet.ts';
import type { Connection } from './connection.ts';
import { startLoop } from './loop.ts';
import type { Problems } from './problems.ts';
import type { Signal } from './signal.ts';

export type ScanInventory = (
  signal: AbortSignal,
) => Promise<{ apps: AppReport[]; problems: string[]; notRead?: NotRead[] }>;

export interface InventoryReportsOptions {
  scan: ScanInventory;
  everyMs: number;
  /** Something happened that a scan may find. */
  changed?: Pick<Signal, 'subscribe'>;
  /** The least time between two scans, in ms: an installation changes much, and takes a while. */
  restMs?: number;
  /** Nothing is looked at before this device may report it. */
  ready: () => boolean;
  connection: Connection;
  problems: Problems;
  backoff?: BackoffLimits | undefined;
  onScanned: (apps: AppReport[]) => void;
  /** The service has the latest scan. */
  onSent?: () => void;
}

export interface InventoryReports {
  /** Scan and send now, if ready. */
  runNow(): void;
  stop(): Promise<void>;
}

/** Files of one installation come one after the other. */
const settleMs = 5000;

interface Report {
  batch_id: string;
  apps: AppReport[];
  not_read?: NotRead[];
}

/** What was last reported, and when. */
const nothing = { apps: [] as AppReport[], notRead: [] as NotRead[], at: -Infinity };

/** The most apps that one report may hold. */
const most = 5000;

/**
 * Scans from time to time, and soon after something changed. What a regular scan found is sent, and
 * what another one found if it is new; the latest is sent until the service has it.
 */
export function startInventoryReports(options: InventoryReportsOptions): InventoryReports {
  const { restMs = 30_000 } = options;
  let known = nothing;
  let scannedAt = -Infinity;
  let soon: NodeJS.Timeout | undefined;
  let latest: Report | null = null;
  let failures = 0;

  const scanning = startLoop(async (signal) => {
    if (!options.ready()) {
      known = nothing;
      return null;
    }
    clearTimeout(soon);
    soon = undefined;
    const found = await scanOrExplain(options.scan, signal);
    if (signal.aborted) return null;
    options.problems.set('inventory', found.problems);
    scannedAt = performance.now();
    const { apps, notRead } = found;
    if (apps && isNews({ apps, notRead })) {
      known = { apps, notRead, at: scannedAt };
      options.onScanned(apps);
      latest = {
        batch_id: randomUUID(),
        apps,
        ...(notRead.length > 0 && { not_read: notRead }),
      };
      sending.runNow();
    }
    return options.everyMs;
  });

  const isNews = ({ apps, notRead }: Omit<typeof nothing, 'at'>): boolean =>
    scannedAt - known.at >= options.everyMs ||
    !isDeepStrictEqual([apps, notRead], [known.apps, known.notRead]);

  options.changed?.subscribe(() => {
    const waitMs = Math.max(settleMs, scannedAt + restMs - performance.now());
    soon ??= setTimeout(scanning.runNow, Math.min(waitMs, restMs)).unref();
  });

  const sending = startLoop(async (signal) => {
    const body = latest;
    if (!body) return null;
    const sent = await options.connection.ask('inventory upload', signal, (device) =>
      device.reportInventory({ body }, { signal }),
    );
    // A control plane that is older than the field refuses it.
    if (!('answer' in sent) && sent.failure?.status === 400 && body.not_read) {
      if (latest === body) latest = { batch_id: body.batch_id, apps: body.apps };
      return 0;
    }
    if ('answer' in sent || sent.failure?.status === 400) {
      failures = 0;
      if ('answer' in sent) options.onSent?.();
      // Meanwhile there may be a later scan.
      if (latest === body) latest = null;
      return latest ? 0 : null;
    }
    return sent.failure ? backoffMs(failures++, Math.random(), options.backoff) : null;
  });

  return {
    runNow: () => {
      scanning.wake();
      sending.runNow();
    },
    stop: async () => {
      clearTimeout(soon);
      await scanning.stop();
      await sending.stop();
    },
  };
}

/** A scan that fails as a whole leaves what is known as it is. */
async function scanOrExplain(
  scan: ScanInventory,
  signal: AbortSignal,
): Promise<{ apps: AppReport[] | null; problems: string[]; notRead: NotRead[] }> {
  try {
    const { apps, problems, notRead = [] } = await scan(signal);
    const good = apps.filter((app) => appReport.safeParse(app).success);
    if (good.length === apps.length && good.length <= most) return { apps, problems, notRead };
    const left = `${apps.length - Math.min(good.length, most)} apps left out of the report`;
    return {
      apps: good.slice(0, most),
      problems: [...problems, left],
      notRead: [{ kind: null, path: null, reason: left }],
    };
  } catch (error) {
    return { apps: null, problems: [`scan failed: ${(error as Error).message}`], notRead: [] };
  }
}
