import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { CaptureReport } from '#contract/captures.ts';
import { type ExchangeCopy, type ReportFacts, reportOf } from './exchange-report.ts';
import { createRedactors, patternProblem } from './redactor.ts';

export interface ReportQuestion {
  copy: ExchangeCopy;
  facts: ReportFacts;
}

export interface ReportWork {
  questions: readonly ReportQuestion[];
  /** The tenant's rules, as JSON. */
  own: string;
}

export interface ReportAnswer {
  /** Null: one could not be redacted. Why is not said: an error's message may hold what was captured. */
  reports: (CaptureReport | null)[];
  workedMs: number;
  /** What is wrong with the tenant's patterns. */
  problem: string | null;
}

const port = parentPort;

// Relaying comes first. Only on Linux is this of one thread (setpriority(2)), else of the process.
if (process.platform === 'linux') setPriority(10);

const redactorFor = createRedactors();

async function answer({ questions, own }: ReportWork): Promise<void> {
  const began = performance.now();
  const reports: ReportAnswer['reports'] = [];
  let problem: ReportAnswer['problem'] = null;
  for (const { copy, facts } of questions) {
    try {
      reports.push(await reportOf(copy, facts, redactorFor(own)));
    } catch (error) {
      problem ??= patternProblem(error);
      reports.push(null);
    }
  }
  const workedMs = performance.now() - began;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port?.postMessage({ reports, workedMs, problem } satisfies ReportAnswer);
}

port?.on('message', (work: ReportWork) => void answer(work));
