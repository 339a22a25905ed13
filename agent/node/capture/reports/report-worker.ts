import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { CaptureReport } from '#contract/captures.ts';
import { type ExchangeCopy, type ReportFacts, buildRedactedReport } from './exchange-report.ts';
import { createRedactors, patternProblem } from './redactor.ts';

export interface ReportRequest {
  copy: ExchangeCopy;
  facts: ReportFacts;
}

export interface ReportBatch {
  requests: readonly ReportRequest[];
  /** The tenant's rules, as JSON. */
  tenantRules: string;
}

export interface ReportResponse {
  /** Null: redaction failed. No reason is given: an error message may quote the content. */
  reports: (CaptureReport | null)[];
  busyMs: number;
  /** The problem with the tenant's patterns, if any. */
  error: string | null;
}

const port = parentPort;

// Relaying takes precedence. Only on Linux does this apply to one thread (setpriority(2));
// elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(10);

const redactorFor = createRedactors();

async function respond({ requests, tenantRules }: ReportBatch): Promise<void> {
  const startedAt = performance.now();
  const reports: ReportResponse['reports'] = [];
  let firstError: ReportResponse['error'] = null;
  for (const { copy, facts } of requests)
    try {
      reports.push(await buildRedactedReport(copy, facts, redactorFor(tenantRules)));
    } catch (error) {
      firstError ??= patternProblem(error);
      reports.push(null);
    }

  const busyMs = performance.now() - startedAt;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port?.postMessage({ reports, busyMs, error: firstError } satisfies ReportResponse);
}

port?.on('message', (work: ReportBatch) => void respond(work));
