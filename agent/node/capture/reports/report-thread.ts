import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { ObservedExchange } from '#agent/core/capture/wire/exchange.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { OwnRules } from '#contract/settings.ts';
import { releaseMemory } from '../../release-memory.ts';
import { buildMetadata, type ReportFacts } from './exchange-report.ts';
import { createRedactor, noTenantRules } from './redactor.ts';
import type { ReportBatch, ReportRequest, ReportResponse } from './report-worker.ts';

/**
 * Limits for the report threads. V8 lets the young generation of a busy thread grow to 64 MB, and
 * shrinks it slowly. The objects of these threads are short-lived: a quarter of that size is
 * collected just as fast. The main thread's limit comes from `--max-semi-space-size`, which must be
 * set when the process starts.
 */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16 };

export interface ReportThread {
  /**
   * Creates the report of an exchange, at once or later. A report that could not be redacted
   * contains only metadata, no bodies.
   */
  createReport: (exchange: ObservedExchange, facts: ReportFacts, onReport: OnReport) => void;
  /** Creates the reports of all remaining exchanges. */
  close: () => Promise<void>;
}

type OnReport = (report: CaptureReport) => void;

export interface ReportThreadOptions {
  /** Returns the tenant rules currently in force. */
  tenantRules?: () => OwnRules;
  /** The time limit of one batch, in ms. */
  timeoutMs?: number;
  /** The extra time in ms for the first batch of a new thread, which also loads the program. */
  startupMs?: number;
  /** Exchanges beyond this queue length are reported without their bodies. */
  maxQueued?: number;
  /** The thread ends after this long without work, in ms, to free its memory. */
  idleMs?: number;
  /** The program that the thread runs. */
  program?: URL;
  onProblem: (line: string) => void;
}

interface Job {
  exchange: ObservedExchange;
  facts: ReportFacts;
  onReport: OnReport;
}

/**
 * The maximum number of exchanges per message: waking both threads costs more than their content.
 */
const MAX_BATCH_SIZE = 16;
/** The limit of the bodies in a batch of several exchanges: they are copied between threads. */
const MAX_BATCH_BYTES = 256 * 1024;

/**
 * After a batch the thread pauses for four times as long as the batch took, so it uses a fifth of
 * a CPU. At full load a third would cost the relay a tenth of its requests.
 */
const COOLDOWN_RATIO = 4;
const MAX_COOLDOWN_MS = 1000;

const emptyResponse: ReportResponse = { reports: [], busyMs: 0, error: null };

const { pathOf } = createRedactor(noTenantRules);

/** The worker program: run from source, or a file beside the bundle. */
const reportWorker = new URL(
  import.meta.url.endsWith('.ts') ? './report-worker.ts' : './report-worker.js',
  import.meta.url,
);

/**
 * Decodes, joins and redacts on a separate thread, so that it never delays relayed bytes. Exchanges
 * that fail or take too long are reported without their bodies.
 */
export function createReportThread(options: ReportThreadOptions): ReportThread {
  const { timeoutMs = 10_000, startupMs = 20_000, maxQueued = 200, idleMs = 60_000 } = options;
  const { onProblem } = options;
  const { program = reportWorker, tenantRules = () => noTenantRules } = options;
  const waiting: Job[] = [];
  let worker: Worker | null = null;
  let current: Job[] = [];
  /** The number of queued exchanges that are sent one by one, because a batch with them failed. */
  let singleCount = 0;
  let isCoolingDown = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const finish = ({ reports, busyMs, error }: ReportResponse): void => {
    clearTimeout(timer);
    if (error !== null) onProblem(error);
    const jobs = current;
    current = [];
    isCoolingDown = true;
    timer = setTimeout(endCooldown, Math.min(COOLDOWN_RATIO * busyMs, MAX_COOLDOWN_MS));
    jobs.forEach((job, i) => job.onReport(reports[i] ?? withoutBodies(job, tenantRules())));
  };

  const endCooldown = (): void => {
    isCoolingDown = false;
    startBatch();
  };

  const fail = (line: string): void => {
    void worker?.terminate();
    worker = null;
    if (current.length > 1) {
      singleCount += current.length;
      waiting.unshift(...current.splice(0));
    } else onProblem(line);

    finish(emptyResponse);
  };

  const startBatch = (): void => {
    if (current.length > 0 || isCoolingDown) return;
    current = waiting.splice(0, singleCount > 0 ? 1 : batchSizeOf(waiting));
    singleCount = Math.max(0, singleCount - 1);
    if (current.length === 0) {
      timer = setTimeout(endThread, idleMs).unref();
      return;
    }
    const limitMs = worker ? timeoutMs : timeoutMs + startupMs;
    worker ??= startWorker(program, {
      isCurrent: (one) => one === worker,
      onResponse: finish,
      onFailure: fail,
    });
    worker.ref();
    timer = setTimeout(() => fail(`redacting an exchange took over ${limitMs} ms`), limitMs);
    const batch: ReportBatch = {
      requests: current.map(requestOf),
      tenantRules: JSON.stringify(tenantRules()),
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(batch);
  };

  const endThread = (): void => {
    void worker?.terminate().then(releaseMemory);
    worker = null;
  };

  return {
    createReport: (exchange, facts, onReport) => {
      const job = { exchange, facts, onReport };
      if (!closed && waiting.length >= maxQueued)
        onProblem('too many exchanges at once: some are reported without their bodies and tokens');
      if (closed || waiting.length >= maxQueued) return onReport(withoutBodies(job, tenantRules()));
      if (current.length === 0 && !isCoolingDown) clearTimeout(timer);
      waiting.push(job);
      startBatch();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      for (const job of waiting.splice(0)) job.onReport(withoutBodies(job, tenantRules()));
      const ended = worker;
      worker = null;
      if (current.length > 0) finish(emptyResponse);
      clearTimeout(timer);
      await ended?.terminate();
    },
  };
}

/**
 * Builds a report without bodies. Only the thread applies the tenant's rules: if there are any,
 * even the path is omitted.
 */
function withoutBodies(
  { exchange, facts }: Pick<Job, 'exchange' | 'facts'>,
  { keys, patterns }: OwnRules,
): CaptureReport {
  const hasRules = keys.length + patterns.length > 0;
  return buildMetadata(exchange, facts, hasRules ? () => '/' : pathOf);
}

/** Returns the part of a job that can be sent to another thread. */
function requestOf({ exchange, facts }: Job): ReportRequest {
  const { release: _, ...copy } = exchange;
  return { copy, facts };
}

/** Starts a thread. A terminated thread may still respond; `isCurrent` filters such responses. */
function startWorker(program: URL, on: ThreadEvents): Worker {
  const started = new Worker(program, { resourceLimits: threadLimits });
  started.on('message', (onResponse: ReportResponse) => {
    if (on.isCurrent(started)) on.onResponse(onResponse);
  });
  started.on('error', (error) => {
    if (on.isCurrent(started)) on.onFailure(`an exchange could not be redacted: ${error.message}`);
  });
  return started;
}

interface ThreadEvents {
  isCurrent: (worker: Worker) => boolean;
  onResponse: (response: ReportResponse) => void;
  onFailure: (line: string) => void;
}

function batchSizeOf(jobs: readonly Job[]): number {
  let bytes = 0;
  const maxCount = Math.min(jobs.length, MAX_BATCH_SIZE);
  for (let count = 0; count < maxCount; count += 1) {
    bytes += bytesOf(jobs[count]?.exchange);
    if (bytes > MAX_BATCH_BYTES) return Math.max(1, count);
  }
  return maxCount;
}

function bytesOf(copy: ObservedExchange | undefined): number {
  const blocks = [
    ...(copy?.request.beginning ?? []),
    ...(copy?.response?.beginning ?? []),
    ...(copy?.webSocket?.messages ?? []).map(({ bytes }) => bytes),
  ];
  return blocks.reduce((sum, { length }) => sum + length, 0);
}
