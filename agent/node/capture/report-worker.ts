import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { CaptureReport } from '#contract/captures.ts';
import { type ExchangeCopy, type ReportFacts, reportOf } from './exchange-report.ts';

export interface ReportQuestion {
  copy: ExchangeCopy;
  facts: ReportFacts;
}

export interface ReportAnswer {
  /** Null: one could not be redacted. Why is not said: an error's message may hold what was captured. */
  reports: (CaptureReport | null)[];
  workedMs: number;
}

const port = parentPort;

// Relaying comes first. Only on Linux is this of one thread (setpriority(2)), else of the process.
if (process.platform === 'linux') setPriority(10);

async function answer(questions: readonly ReportQuestion[]): Promise<void> {
  const began = performance.now();
  const reports: ReportAnswer['reports'] = [];
  for (const { copy, facts } of questions) {
    reports.push(await reportOf(copy, facts).catch(() => null));
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port?.postMessage({ reports, workedMs: performance.now() - began } satisfies ReportAnswer);
}

port?.on('message', (questions: ReportQuestion[]) => void answer(questions));
