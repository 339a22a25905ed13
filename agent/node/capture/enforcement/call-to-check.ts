import {
  type CallCheck,
  MAX_CHECKED_PROMPT_LENGTH,
  MAX_CHECKED_REQUEST_LENGTH,
} from '#contract/call-check.ts';
import { pathOf } from '#agent/core/capture/enforcement/refusal.ts';
import { findCatalogHost } from '#domain/hosts/host-catalog.ts';
import { describeCall } from '#domain/providers/describe-exchange.ts';
import { plainPath } from '#domain/providers/plain-path.ts';
import { shortenConversation } from '#domain/providers/shorten-conversation.ts';
import {
  type ExchangeCopy,
  buildMetadata,
  type ReportFacts,
  decodeBodies,
  redactBody,
} from '../reports/exchange-report.ts';
import type { Redactor } from '../reports/redactor.ts';
import { kindsField, textField } from '../reports/report-fields.ts';

/** Builds the check request for a held call: decoded, and redacted before anything is truncated. */
export async function callToCheck(
  copy: ExchangeCopy,
  facts: ReportFacts,
  redactor: Redactor,
): Promise<CallCheck> {
  const metadata = buildMetadata(copy, facts, redactor.pathOf);
  const { path, host, app_id, process, user, request_truncated } = metadata;
  const { request: text } = await decodeBodies(copy, host, path);
  const redactions: Record<string, number> = {};
  const request = redactBody(redactor, 'request_body', text, redactions);
  // The path in the request is cut: a longer one with `..` could hide its end.
  const call = describeCall({
    host,
    path: redactor.pathOf(plainPath(pathOf(copy.target))),
    request,
  });
  return {
    host,
    app_id,
    process,
    user,
    path,
    provider: call?.provider ?? findCatalogHost(host)?.provider ?? null,
    model: call?.model ? textField(call.model, 200) : null,
    ...truncateRequest(request, call?.prompt ?? null),
    ...(request_truncated === 1 && { request_truncated: true }),
    redactions: kindsField(redactions),
  };
}

/**
 * Shortens a request but keeps its newest messages: the older ones were evaluated in earlier calls.
 * The latest user message is also sent by itself, in case the rest of the request is too long.
 */
function truncateRequest(
  request: string | null,
  prompt: string | null,
): Pick<CallCheck, 'request' | 'request_truncated' | 'prompt'> {
  const isTooLong = request !== null && request.length > MAX_CHECKED_REQUEST_LENGTH;
  const end = isTooLong && prompt ? prompt.slice(-MAX_CHECKED_PROMPT_LENGTH) : null;
  return {
    request:
      request &&
      textField(
        shortenConversation(request, MAX_CHECKED_REQUEST_LENGTH),
        MAX_CHECKED_REQUEST_LENGTH,
      ),
    request_truncated: isTooLong,
    prompt: end && textField(end, MAX_CHECKED_PROMPT_LENGTH),
  };
}
