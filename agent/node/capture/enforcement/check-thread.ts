import { Worker } from 'node:worker_threads';
import type { CallCheck } from '#contract/call-check.ts';
import type { OwnRules } from '#contract/settings.ts';
import type { ExchangeCopy, ReportFacts } from '../reports/exchange-report.ts';
import { noTenantRules } from '../reports/redactor.ts';
import type { CheckResponse, CheckRequest } from './check-worker.ts';
import { threadLimits } from '../reports/report-thread.ts';

export interface CheckThread {
  /** Prepares for calls: the thread takes a while to start. */
  start: () => void;
  /** Resolves to the redacted check request for a call, or to null if that fails. */
  createCheck: (copy: ExchangeCopy, facts: ReportFacts) => Promise<CallCheck | null>;
  close: () => Promise<void>;
}

export interface CheckThreadOptions {
  /** Returns the tenant rules currently in force. */
  tenantRules?: () => OwnRules;
  /** The longest time between two results, in ms; then the thread is terminated. */
  timeoutMs: number;
  /** The thread ends after this long without work, in ms, to free its memory. */
  idleMs?: number;
  program?: URL;
}

type ResolveCheck = (check: CallCheck | null) => void;

/** The worker program: run from source, or a file beside the bundle. */
const checkWorker = new URL(
  import.meta.url.endsWith('.ts') ? './check-worker.ts' : './check-worker.js',
  import.meta.url,
);

/**
 * Decodes and redacts content that a held call waits for. Uses its own thread, because the report
 * thread pauses between its batches and has the lowest priority.
 */
export function createCheckThread(options: CheckThreadOptions): CheckThread {
  const {
    timeoutMs,
    idleMs = 60_000,
    program = checkWorker,
    tenantRules = () => noTenantRules,
  } = options;
  const pending = new Map<number, ResolveCheck>();
  let worker: Worker | null = null;
  let lastId = 0;
  let timer: NodeJS.Timeout | undefined;

  const end = (): Promise<number> | undefined => {
    clearTimeout(timer);
    const ended = worker?.terminate();
    worker = null;
    for (const done of pending.values()) done(null);
    pending.clear();
    return ended;
  };

  const resetTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void end(), pending.size > 0 ? timeoutMs : idleMs);
    if (pending.size === 0) timer.unref();
  };

  const startWorker = (): Worker => {
    const started = new Worker(program, { resourceLimits: threadLimits });
    started.unref();
    started.on('message', ({ id, check }: CheckResponse) => {
      pending.get(id)?.(check);
      if (pending.delete(id)) resetTimer();
    });
    started.on('error', () => {
      if (worker === started) void end();
    });
    return started;
  };

  const getWorker = (): Worker => {
    worker ??= startWorker();
    return worker;
  };

  return {
    start: () => {
      getWorker();
      if (pending.size === 0) resetTimer();
    },
    createCheck: (copy, facts) =>
      new Promise((resolve) => {
        const id = (lastId += 1);
        pending.set(id, resolve);
        const request: CheckRequest = {
          id,
          copy,
          facts,
          tenantRules: JSON.stringify(tenantRules()),
        };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        getWorker().postMessage(request);
        // Later requests must not extend the time limit of one that hangs.
        if (pending.size === 1) resetTimer();
      }),
    close: async () => void (await end()),
  };
}
