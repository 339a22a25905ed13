import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import { createPoisonBatchDetector } from '#agent/core/poison-batch.ts';
import type { Connection } from '../link/connection.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import type { Segment } from './segment-file.ts';
import { readReports } from './segment-file.ts';
import type { ControlPlaneClient } from '../link/control-plane-client.ts';
import type { Spool } from './spool.ts';

/** Sends a batch of reports, each as stored in the spool. */
export type SendBatch = (
  device: ControlPlaneClient['device'],
  batch: { batch_id: string; reports: unknown[] },
  signal: AbortSignal,
) => Promise<unknown>;

export interface UploaderOptions {
  spool: Pick<Spool<never>, 'take' | 'release' | 'remove' | 'split' | 'reject'>;
  connection: Connection;
  /** The part under which failures are reported as problems. */
  part: string;
  send: SendBatch;
  backoff?: BackoffLimits | undefined;
  onUploaded: (reports: number) => void;
  /** Called when a report was permanently rejected; the line names the file. */
  onRejected: (line: string) => void;
}

/**
 * Sends sealed segments, oldest first. A segment is deleted only once the control plane has
 * received it. A refused segment is halved until the invalid report is alone, so that only that
 * report is lost. Call `wake` when there is a new segment.
 */
export function startUploader(options: UploaderOptions): Loop {
  const { spool, connection, part, send } = options;
  let failures = 0;

  const nextDelay = (): number => backoffMs(failures++, Math.random(), options.backoff);
  const isToBlame = createPoisonBatchDetector();

  /** `why` continues the sentence that starts with "a report". */
  const splitOrReject = (segment: Segment, why: string): void => {
    if (segment.reports > 1) spool.split(segment);
    else options.onRejected(`${part}: a report ${why}; kept in ${spool.reject(segment)}`);
  };

  return startLoop(async (signal) => {
    const segment = spool.take();
    if (!segment) return null;
    const reports = read(segment);
    if (!reports) {
      splitOrReject(segment, 'is damaged');
      return nextDelay();
    }
    const batch = { batch_id: segment.batchId, reports };
    const result = await connection.request(part, signal, (device) => send(device, batch, signal));
    if (result.kind === 'answered') {
      failures = 0;
      spool.remove(segment);
      options.onUploaded(segment.reports);
      return 0;
    }
    const failure = result.kind === 'failed' ? result.failure : null;
    const status = failure?.status ?? null;
    if (isToBlame(segment.batchId, status, connection.acceptedCount()))
      splitOrReject(segment, `was refused with ${status}`);
    else spool.release();
    return failure && nextDelay();
  });
}

function read(segment: Segment): unknown[] | null {
  try {
    return readReports(segment);
  } catch {
    return null;
  }
}
