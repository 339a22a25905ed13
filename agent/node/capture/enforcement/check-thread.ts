import { Worker } from 'node:worker_threads';
import type { CallCheck } from '#contract/call-check.ts';
import type { OwnRules } from '#contract/settings.ts';
import type { ExchangeCopy, ReportFacts } from '../exchange-report.ts';
import { noOwnRules } from '../redactor.ts';
import type { CheckAnswer, CheckQuestion } from './check-worker.ts';
import { threadLimits } from '../thread-limits.ts';

export interface CheckThread {
  /** Calls will come: the thread takes a while to start. */
  warm: () => void;
  /** The redacted check request for a call. Null if that fails. */
  make: (copy: ExchangeCopy, facts: ReportFacts) => Promise<CallCheck | null>;
  close: () => Promise<void>;
}

export interface CheckThreadOptions {
  /** The rules of the tenant that are in force now. */
  own?: () => OwnRules;
  /** The longest time between two results, in ms; then the thread is terminated. */
  withinMs: number;
  /** The thread ends after this long without work, in ms, to free its memory. */
  idleMs?: number;
  program?: URL;
}

type Done = (check: CallCheck | null) => void;

/** From source, or as a file beside the bundle. */
const checkWorker = new URL(
  import.meta.url.endsWith('.ts') ? './check-worker.ts' : './check-worker.js',
  import.meta.url,
);

/**
 * Decodes and redacts content that a held call waits for. Uses its own thread, because the report
 * thread pauses between its batches and has the lowest priority.
 */
export function createCheckThread(options: CheckThreadOptions): CheckThread {
  const { withinMs, idleMs = 60_000, program = checkWorker, own = () => noOwnRules } = options;
  const waiting = new Map<number, Done>();
  let worker: Worker | null = null;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  const end = (): Promise<number> | undefined => {
    clearTimeout(timer);
    const ended = worker?.terminate();
    worker = null;
    for (const done of waiting.values()) done(null);
    waiting.clear();
    return ended;
  };

  const rearm = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void end(), waiting.size > 0 ? withinMs : idleMs);
    if (waiting.size === 0) timer.unref();
  };

  const start = (): Worker => {
    const started = new Worker(program, { resourceLimits: threadLimits });
    started.unref();
    started.on('message', ({ id, check }: CheckAnswer) => {
      waiting.get(id)?.(check);
      if (waiting.delete(id)) rearm();
    });
    started.on('error', () => {
      if (worker === started) void end();
    });
    return started;
  };

  const running = (): Worker => {
    worker ??= start();
    return worker;
  };

  return {
    warm: () => {
      running();
      if (waiting.size === 0) rearm();
    },
    make: (copy, facts) =>
      new Promise((resolve) => {
        const id = (count += 1);
        waiting.set(id, resolve);
        const question: CheckQuestion = { id, copy, facts, own: JSON.stringify(own()) };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        running().postMessage(question);
        // Later requests must not extend the time limit of one that hangs.
        if (waiting.size === 1) rearm();
      }),
    close: async () => void (await end()),
  };
}
