import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import type { deviceRoutes } from '#contract/device.ts';
import type { RouteRequest } from '#contract/route.ts';
import type { Connection } from './connection.ts';
import { type Loop, startLoop } from './loop.ts';
import type { Segment } from './segment-file.ts';
import { readReports } from './segment-file.ts';
import type { Spool } from './spool.ts';

export interface UploaderOptions {
  spool: Spool;
  connection: Connection;
  backoff?: BackoffLimits | undefined;
  onUploaded: (reports: number) => void;
  /** The reports were set aside for good; a line that names the file. */
  onRejected: (line: string) => void;
}

type Flows = RouteRequest<(typeof deviceRoutes)['reportFlows']>['body']['flows'];

/** Answers that would be the same if the same batch were sent again. */
const permanent = new Set([400, 413, 422]);

/**
 * Sends sealed segments, oldest first, while the service answers. A segment leaves the disk only
 * once the service has it. Call `wake` when there is another one.
 */
export function startUploader(options: UploaderOptions): Loop {
  const { spool, connection } = options;
  let failures = 0;

  const settle = (segment: Segment, status: number | null): number => {
    if (status !== null && permanent.has(status)) {
      const path = spool.reject(segment);
      options.onRejected(
        `upload: ${segment.reports} reports refused with ${status}; kept in ${path}`,
      );
      return 0;
    }
    spool.release();
    return backoffMs(failures++, Math.random(), options.backoff);
  };

  return startLoop(async (signal) => {
    const segment = spool.take();
    if (!segment) return null;
    const flows = read(segment);
    if (!flows) {
      options.onRejected(`upload: a batch is damaged; kept in ${spool.reject(segment)}`);
      return 0;
    }
    const body = { batch_id: segment.batchId, flows };
    const sent = await connection.ask('upload', signal, (device) =>
      device.reportFlows({ body }, { signal }),
    );
    if ('answer' in sent) {
      failures = 0;
      spool.remove(segment);
      options.onUploaded(segment.reports);
      return 0;
    }
    if (sent.failure) return settle(segment, sent.failure.status);
    spool.release();
    return null;
  });
}

function read(segment: Segment): Flows | null {
  try {
    return readReports(segment) as Flows;
  } catch {
    return null;
  }
}
