import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { CaptureReport } from '#contract/captures.ts';
import { type ExchangeCopy, type ReportFacts, reportOf } from './exchange-report.ts';

export interface ReportQuestion {
  copy: ExchangeCopy;
  facts: ReportFacts;
}

/** Null: one could not be redacted. Why is not said: an error's message may hold what was captured. */
export type ReportAnswer = (CaptureReport | null)[];

const port = parentPort;

// Relaying comes first. Only on Linux is this of one thread (setpriority(2)), else of the process.
if (process.platform === 'linux') setPriority(10);

async function answer(questions: readonly ReportQuestion[]): Promise<void> {
  const reports: ReportAnswer = [];
  for (const { copy, facts } of questions) {
    reports.push(await reportOf(copy, facts).catch(() => null));
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port?.postMessage(reports);
}

port?.on('message', (questions: ReportQuestion[]) => void answer(questions));
