import { parentPort } from 'node:worker_threads';
import type { CallCheck } from '#contract/call-check.ts';
import type { ExchangeCopy, ReportFacts } from '../exchange-report.ts';
import { createRedactors } from '../redactor.ts';
import { callToCheck } from './call-to-check.ts';

export interface CheckQuestion {
  id: number;
  copy: ExchangeCopy;
  facts: ReportFacts;
  /** The tenant's rules, as JSON. */
  own: string;
}

export interface CheckAnswer {
  id: number;
  /** Null: redaction failed. No reason is given: an error message may quote the content. */
  check: CallCheck | null;
}

const port = parentPort;
const redactorFor = createRedactors();

async function checkOf({ copy, facts, own }: CheckQuestion): Promise<CallCheck | null> {
  try {
    return await callToCheck(copy, facts, redactorFor(own));
  } catch {
    return null;
  }
}

async function answer(question: CheckQuestion): Promise<void> {
  const { id } = question;
  const check = await checkOf(question);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port?.postMessage({ id, check } satisfies CheckAnswer);
}

port?.on('message', (question: CheckQuestion) => void answer(question));
