import { Worker } from 'node:worker_threads';
import type { CaptureReport } from '#contract/captures.ts';
import { type ExchangeCopy, metadataOf, type ReportFacts } from './exchange-report.ts';
import type { ReportAnswer, ReportQuestion } from './report-worker.ts';

export interface ReportThread {
  /** Makes the report of an exchange. Without redaction there are no bodies, only metadata. */
  make: (copy: ExchangeCopy, facts: ReportFacts) => Promise<CaptureReport>;
  close: () => Promise<void>;
}

export interface ReportThreadOptions {
  /** The longest that one exchange may take, in ms. */
  withinMs?: number;
  /** More that wait are reported without their bodies. */
  mostWaiting?: number;
  /** The thread ends after so long without work, in ms: it takes memory. */
  idleMs?: number;
  onProblem: (line: string) => void;
}

interface Job {
  copy: ExchangeCopy;
  facts: ReportFacts;
  done: (report: CaptureReport) => void;
}

/** From source, or as a file beside the bundle. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? './report-worker.ts' : './report-worker.js',
  import.meta.url,
);

/**
 * Decodes, joins and redacts on a thread of its own, so that no relayed byte waits for it. Whatever
 * fails or takes too long there is reported without its bodies.
 */
export function createReportThread(options: ReportThreadOptions): ReportThread {
  const { withinMs = 10_000, mostWaiting = 200, idleMs = 60_000, onProblem } = options;
  const waiting: Job[] = [];
  let worker: Worker | null = null;
  let current: Job | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const finish = (report: CaptureReport | null): void => {
    clearTimeout(timer);
    const job = current;
    current = null;
    if (job) job.done(report ?? metadataOf(job.copy, job.facts));
    next();
  };

  const fail = (line: string): void => {
    void worker?.terminate();
    worker = null;
    onProblem(line);
    finish(null);
  };

  const start = (): Worker => {
    const started = new Worker(program);
    // A thread that was given up may still answer.
    const ifCurrent = (act: () => void): void => {
      if (worker === started) act();
    };
    started.on('message', ({ report }: ReportAnswer) => ifCurrent(() => finish(report)));
    started.on('error', (error) =>
      ifCurrent(() => fail(`an exchange could not be redacted: ${error.message}`)),
    );
    return started;
  };

  const next = (): void => {
    if (current) return;
    current = waiting.shift() ?? null;
    if (!current) {
      timer = setTimeout(rest, idleMs).unref();
      return;
    }
    const { copy, facts } = current;
    worker ??= start();
    worker.ref();
    timer = setTimeout(() => fail(`redacting an exchange took over ${withinMs} ms`), withinMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ copy, facts } satisfies ReportQuestion);
  };

  const rest = (): void => {
    void worker?.terminate();
    worker = null;
  };

  return {
    make: (copy, facts) =>
      closed || waiting.length >= mostWaiting
        ? Promise.resolve(metadataOf(copy, facts))
        : new Promise((done) => {
            clearTimeout(current ? undefined : timer);
            waiting.push({ copy, facts, done });
            next();
          }),
    close: async () => {
      closed = true;
      clearTimeout(timer);
      for (const { copy, facts, done } of waiting.splice(0)) done(metadataOf(copy, facts));
      const ended = worker;
      worker = null;
      if (current) finish(null);
      clearTimeout(timer);
      await ended?.terminate();
    },
  };
}
