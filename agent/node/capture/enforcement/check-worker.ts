import { parentPort } from 'node:worker_threads';
import type { CallCheck } from '#contract/call-check.ts';
import type { ExchangeCopy, ReportFacts } from '../exchange-report.ts';
import { callToCheck } from './call-to-check.ts';

export interface CheckQuestion {
  id: number;
  copy: ExchangeCopy;
  facts: ReportFacts;
}

export interface CheckAnswer {
  id: number;
  /** Null: it could not be redacted. Why is not said: an error's message may hold what was asked. */
  check: CallCheck | null;
}

const port = parentPort;

async function answer({ id, copy, facts }: CheckQuestion): Promise<void> {
  const check = await callToCheck(copy, facts).catch(() => null);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port?.postMessage({ id, check } satisfies CheckAnswer);
}

port?.on('message', (question: CheckQuestion) => void answer(question));
