import { parentPort } from 'node:worker_threads';
import type { CaptureReport } from '#contract/captures.ts';
import { type ExchangeCopy, type ReportFacts, reportOf } from './exchange-report.ts';

export interface ReportQuestion {
  copy: ExchangeCopy;
  facts: ReportFacts;
}

/** Null: it could not be redacted. Why is not said: an error's message may hold what was captured. */
export interface ReportAnswer {
  report: CaptureReport | null;
}

const port = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const answer = (report: ReportAnswer['report']): void => port?.postMessage({ report });

port?.on('message', ({ copy, facts }: ReportQuestion) => {
  reportOf(copy, facts).then(answer, () => answer(null));
});
