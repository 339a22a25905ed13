import { Worker } from 'node:worker_threads';
import type { CaptureReport } from '#contract/captures.ts';
import type { OwnRules } from '#contract/settings.ts';
import { type ExchangeCopy, metadataOf, type ReportFacts } from './exchange-report.ts';
import { createRedactor, noOwnRules } from './redactor.ts';
import type { ReportAnswer, ReportWork } from './report-worker.ts';
import { threadLimits } from './thread-limits.ts';

export interface ReportThread {
  /** Makes the report of an exchange. Without redaction there are no bodies, only metadata. */
  make: (copy: ExchangeCopy, facts: ReportFacts) => Promise<CaptureReport>;
  close: () => Promise<void>;
}

export interface ReportThreadOptions {
  /** The rules of the tenant that are in force now. */
  own?: () => OwnRules;
  /** The longest that may take what is handed over at once, in ms. */
  withinMs?: number;
  /** More that wait are reported without their bodies. */
  mostWaiting?: number;
  /** The thread ends after so long without work, in ms: it takes memory. */
  idleMs?: number;
  /** What the thread runs. */
  program?: URL;
  onProblem: (line: string) => void;
}

interface Job {
  copy: ExchangeCopy;
  facts: ReportFacts;
  done: (report: CaptureReport) => void;
}

/** Handed over at once: every message wakes both threads, which costs more than what is in it. */
const MOST_AT_ONCE = 16;
/** Of their bodies, but for a single one: they are copied from one thread to the other. */
const MOST_BYTES_AT_ONCE = 256 * 1024;

/** After its work the thread rests for as long, in ms at most: it takes half a processor, not one. */
const LONGEST_REST = 1000;

const noAnswer: ReportAnswer = { reports: [], workedMs: 0, problem: null };

const { pathOf } = createRedactor(noOwnRules);

/** From source, or as a file beside the bundle. */
const reportWorker = new URL(
  import.meta.url.endsWith('.ts') ? './report-worker.ts' : './report-worker.js',
  import.meta.url,
);

/**
 * Decodes, joins and redacts on a thread of its own, so that no relayed byte waits for it. Whatever
 * fails or takes too long there is reported without its bodies.
 */
export function createReportThread(options: ReportThreadOptions): ReportThread {
  const { withinMs = 10_000, mostWaiting = 200, idleMs = 60_000, onProblem } = options;
  const { program = reportWorker, own = () => noOwnRules } = options;
  const waiting: Job[] = [];
  let worker: Worker | null = null;
  let current: Job[] = [];
  /** Of those that wait, the first ones are handed over singly: one of them failed, among others. */
  let single = 0;
  let isResting = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const finish = ({ reports, workedMs, problem }: ReportAnswer): void => {
    clearTimeout(timer);
    if (problem !== null) onProblem(problem);
    const jobs = current;
    current = [];
    jobs.forEach((job, i) => job.done(reports[i] ?? withoutBodies(job, own())));
    isResting = true;
    timer = setTimeout(goOn, Math.min(workedMs, LONGEST_REST));
  };

  const goOn = (): void => {
    isResting = false;
    next();
  };

  const fail = (line: string): void => {
    void worker?.terminate();
    worker = null;
    if (current.length > 1) {
      single += current.length;
      waiting.unshift(...current.splice(0));
    } else {
      onProblem(line);
    }
    finish(noAnswer);
  };

  const next = (): void => {
    if (current.length > 0 || isResting) return;
    current = waiting.splice(0, single > 0 ? 1 : countAtOnce(waiting));
    single = Math.max(0, single - 1);
    if (current.length === 0) {
      timer = setTimeout(endThread, idleMs).unref();
      return;
    }
    worker ??= startWorker(program, {
      isCurrent: (one) => one === worker,
      answer: finish,
      failure: fail,
    });
    worker.ref();
    timer = setTimeout(() => fail(`redacting an exchange took over ${withinMs} ms`), withinMs);
    const questions = current.map(({ copy, facts }) => ({ copy, facts }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ questions, own: JSON.stringify(own()) } satisfies ReportWork);
  };

  const endThread = (): void => {
    void worker?.terminate();
    worker = null;
  };

  return {
    make: (copy, facts) =>
      closed || waiting.length >= mostWaiting
        ? Promise.resolve(withoutBodies({ copy, facts }, own()))
        : new Promise((done) => {
            clearTimeout(current.length > 0 || isResting ? undefined : timer);
            waiting.push({ copy, facts, done });
            next();
          }),
    close: async () => {
      closed = true;
      clearTimeout(timer);
      for (const job of waiting.splice(0)) job.done(withoutBodies(job, own()));
      const ended = worker;
      worker = null;
      if (current.length > 0) finish(noAnswer);
      clearTimeout(timer);
      await ended?.terminate();
    },
  };
}

/** The tenant's rules are applied on the thread alone: where there are any, not even the path is reported. */
function withoutBodies(
  { copy, facts }: Omit<Job, 'done'>,
  { keys, patterns }: OwnRules,
): CaptureReport {
  const hasRules = keys.length + patterns.length > 0;
  return metadataOf(copy, facts, hasRules ? () => '/' : pathOf);
}

/** Starts a thread. One that was given up may still answer: `isCurrent` says whether it counts. */
function startWorker(program: URL, on: ThreadEvents): Worker {
  const started = new Worker(program, { resourceLimits: threadLimits });
  started.on('message', (answer: ReportAnswer) => {
    if (on.isCurrent(started)) on.answer(answer);
  });
  started.on('error', (error) => {
    if (on.isCurrent(started)) on.failure(`an exchange could not be redacted: ${error.message}`);
  });
  return started;
}

interface ThreadEvents {
  isCurrent: (worker: Worker) => boolean;
  answer: (answer: ReportAnswer) => void;
  failure: (line: string) => void;
}

function countAtOnce(jobs: readonly Job[]): number {
  let bytes = 0;
  const most = Math.min(jobs.length, MOST_AT_ONCE);
  for (let count = 0; count < most; count += 1) {
    bytes += bytesOf(jobs[count]?.copy);
    if (bytes > MOST_BYTES_AT_ONCE) return Math.max(1, count);
  }
  return most;
}

function bytesOf(copy: ExchangeCopy | undefined): number {
  const blocks = [
    ...(copy?.request.beginning ?? []),
    ...(copy?.response?.beginning ?? []),
    ...(copy?.webSocket?.messages ?? []).map(({ bytes }) => bytes),
  ];
  return blocks.reduce((sum, { length }) => sum + length, 0);
}
