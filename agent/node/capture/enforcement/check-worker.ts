import { parentPort } from 'node:worker_threads';
import type { CallCheck } from '#contract/call-check.ts';
import type { ExchangeCopy, ReportFacts } from '../reports/exchange-report.ts';
import { createRedactors } from '../reports/redactor.ts';
import { callToCheck } from './call-to-check.ts';

export interface CheckRequest {
  id: number;
  copy: ExchangeCopy;
  facts: ReportFacts;
  /** The tenant's rules, as JSON. */
  tenantRules: string;
}

export interface CheckResponse {
  id: number;
  /** Null: redaction failed. No reason is given: an error message may quote the content. */
  check: CallCheck | null;
}

const port = parentPort;
const redactorFor = createRedactors();

async function createCheck({ copy, facts, tenantRules }: CheckRequest): Promise<CallCheck | null> {
  try {
    return await callToCheck(copy, facts, redactorFor(tenantRules));
  } catch {
    return null;
  }
}

async function respond(request: CheckRequest): Promise<void> {
  const { id } = request;
  const check = await createCheck(request);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port?.postMessage({ id, check } satisfies CheckResponse);
}

port?.on('message', (request: CheckRequest) => void respond(request));
