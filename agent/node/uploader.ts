import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import { createBatchBlame } from '#agent/core/batch-blame.ts';
import type { Connection } from './connection.ts';
import { type Loop, startLoop } from './loop.ts';
import type { Segment } from './segment-file.ts';
import { readReports } from './segment-file.ts';
import type { ServiceClient } from './service-client.ts';
import type { Spool } from './spool.ts';

/** Sends a batch of reports, each as the spool has it on disk. */
export type SendBatch = (
  device: ServiceClient['device'],
  batch: { batch_id: string; reports: unknown[] },
  signal: AbortSignal,
) => Promise<unknown>;

export interface UploaderOptions {
  spool: Pick<Spool<never>, 'take' | 'release' | 'remove' | 'split' | 'reject'>;
  connection: Connection;
  /** What failures are problems of. */
  part: string;
  send: SendBatch;
  backoff?: BackoffLimits | undefined;
  onUploaded: (reports: number) => void;
  /** A report was set aside for good; a line that names the file. */
  onRejected: (line: string) => void;
}

/**
 * Sends sealed segments, oldest first, while the service answers. A segment leaves the disk only
 * once the service has it. One that the service does not take is halved until the report at fault
 * is alone, so that only that one is lost. Call `wake` when there is another one.
 */
export function startUploader(options: UploaderOptions): Loop {
  const { spool, connection, part, send } = options;
  let failures = 0;

  const pause = (): number => backoffMs(failures++, Math.random(), options.backoff);
  const isToBlame = createBatchBlame();

  /** `why` continues the sentence that starts with "a report". */
  const narrowDown = (segment: Segment, why: string): void => {
    if (segment.reports > 1) spool.split(segment);
    else options.onRejected(`${part}: a report ${why}; kept in ${spool.reject(segment)}`);
  };

  return startLoop(async (signal) => {
    const segment = spool.take();
    if (!segment) return null;
    const reports = read(segment);
    if (!reports) {
      narrowDown(segment, 'is damaged');
      return pause();
    }
    const batch = { batch_id: segment.batchId, reports };
    const sent = await connection.ask(part, signal, (device) => send(device, batch, signal));
    if ('answer' in sent) {
      failures = 0;
      spool.remove(segment);
      options.onUploaded(segment.reports);
      return 0;
    }
    const status = sent.failure?.status ?? null;
    if (isToBlame(segment.batchId, status, connection.accepted()))
      narrowDown(segment, `was refused with ${status}`);
    else spool.release();
    return sent.failure && pause();
  });
}

function read(segment: Segment): unknown[] | null {
  try {
    return readReports(segment);
  } catch {
    return null;
  }
}
