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
  /** What is asked about a call, redacted. Null where that fails. */
  make: (copy: ExchangeCopy, facts: ReportFacts) => Promise<CallCheck | null>;
  close: () => Promise<void>;
}

export interface CheckThreadOptions {
  /** The rules of the tenant that are in force now. */
  own?: () => OwnRules;
  /** The longest that may take one after the other, in ms; then the thread is given up. */
  withinMs: number;
  /** The thread ends after so long without work, in ms: it takes memory. */
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
 * Decodes and redacts what somebody waits for: on a thread of its own, for that of reports rests
 * between its lots, and of the least priority.
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
        // Those that come later must not give one that hangs more time.
        if (waiting.size === 1) rearm();
      }),
    close: async () => void (await end()),
  };
}
