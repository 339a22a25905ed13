import { describeExchange } from '#agent/core/capture/providers/describe-exchange.ts';
import { findCatalogHost } from '#agent/core/host-catalog.ts';
import {
  type CallCheck,
  LONGEST_CHECKED_PROMPT,
  LONGEST_CHECKED_REQUEST,
} from '#contract/call-check.ts';
import { type ExchangeCopy, metadataOf, type ReportFacts, textsOf } from '../exchange-report.ts';
import type { Redactor } from '../redactor.ts';
import { kindsField, textField } from '../report-fields.ts';

/** The check request for a held call: decoded, and redacted before anything is truncated. */
export async function callToCheck(
  copy: ExchangeCopy,
  facts: ReportFacts,
  redactor: Redactor,
): Promise<CallCheck> {
  const metadata = metadataOf(copy, facts, redactor.pathOf);
  const { path, host, app_id, process, user, request_truncated } = metadata;
  const { request: text } = await textsOf(copy, host, path);
  const redactions: Record<string, number> = {};
  const request = text && redactor.redact('request_body', text, redactions);
  const call = describeExchange({ host, path, status: null, request, response: null });
  return {
    host,
    app_id,
    process,
    user,
    path,
    provider: call?.provider ?? findCatalogHost(host)?.provider ?? null,
    model: call?.model ? textField(call.model, 200) : null,
    ...cut(request, call?.prompt ?? null),
    ...(request_truncated === 1 && { request_truncated: true }),
    redactions: kindsField(redactions),
  };
}

/** The latest user message is mostly at the end of a request and would otherwise be cut first. */
function cut(
  request: string | null,
  prompt: string | null,
): Pick<CallCheck, 'request' | 'request_truncated' | 'prompt'> {
  const isCut = request !== null && request.length > LONGEST_CHECKED_REQUEST;
  const end = isCut && prompt ? prompt.slice(-LONGEST_CHECKED_PROMPT) : null;
  return {
    request: request && textField(request, LONGEST_CHECKED_REQUEST),
    request_truncated: isCut,
    prompt: end && textField(end, LONGEST_CHECKED_PROMPT),
  };
}
