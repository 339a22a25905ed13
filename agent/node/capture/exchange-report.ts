import type {
  ObservedBody,
  ObservedExchange,
  ObservedMessage,
} from '#agent/core/capture/wire/exchange.ts';
import { describeExchange } from '#agent/core/capture/providers/describe-exchange.ts';
import type { LlmExchange } from '#agent/core/capture/providers/exchange.ts';
import { joinExchange, type JoinedExchange } from '#agent/core/capture/providers/join-exchange.ts';
import { joinMessages, type SocketMessage } from '#agent/core/capture/providers/join-messages.ts';
import { type CaptureReport, LONGEST_CAPTURED_BODY } from '#contract/captures.ts';
import { decodeContent } from './content-coding.ts';
import type { Redactor } from './redactor.ts';
import { kindsField, mediaTypeField, textField } from './report-fields.ts';

/** An exchange as the observer saw it, without what cannot be handed to another thread. */
export type ExchangeCopy = Omit<ObservedExchange, 'release'>;

export interface ReportFacts {
  id: string;
  host: string;
  app_id: string | null;
  process: string | null;
  user: string | null;
  /** The answer is our own: a policy refused the call. */
  refused?: true;
}

const MOST_DECODED_BYTES = 4 * 1024 * 1024;

/** The pages, styles, scripts and pictures of a web application hold nothing that anybody said. */
const pageParts =
  /^\s*(?:text\/(?:html|css|javascript)|application\/(?:x-)?javascript|image\/|font\/)/i;

export const headerOf = ({ headers }: ObservedBody, wanted: string): string | null =>
  headers.find(([name]) => name === wanted)?.[1] ?? null;

const typeOf = (body: ObservedBody | null): string | null =>
  (body && headerOf(body, 'content-type')?.slice(0, 200)) ?? null;

/** What is known of an exchange without its bodies, which is all there is if they cannot be redacted. */
export function metadataOf(
  copy: ExchangeCopy,
  facts: ReportFacts,
  pathOf: Redactor['pathOf'],
): CaptureReport {
  return {
    ...facts,
    process: facts.process && textField(facts.process, 256),
    user: facts.user && textField(facts.user, 256),
    method: /^[A-Z]{1,20}$/.test(copy.method) ? copy.method : 'OTHER',
    path: textField(pathOf(copy.target), 2048) || '/',
    status: copy.status !== null && copy.status >= 100 && copy.status <= 599 ? copy.status : null,
    request_type: mediaTypeField(typeOf(copy.request)),
    response_type: mediaTypeField(typeOf(copy.response)),
    request_bytes: copy.request.bytes,
    response_bytes: copy.response?.bytes ?? 0,
    request_truncated: Number(copy.request.truncated || !copy.request.complete),
    response_truncated: Number(
      copy.response !== null && (copy.response.truncated || !copy.response.complete),
    ),
    redactions: '{}',
    model: null,
    provider: null,
    tokens_in: null,
    tokens_out: null,
    started_at: copy.startedAt,
    ended_at: copy.endedAt,
    request_body: null,
    response_body: null,
  };
}

/** The whole report: bodies decoded, streams joined, and everything redacted before it is cut. */
export async function reportOf(
  copy: ExchangeCopy,
  facts: ReportFacts,
  { redact, pathOf }: Redactor,
): Promise<CaptureReport> {
  const metadata = metadataOf(copy, facts, pathOf);
  const { host, path, status } = metadata;
  const joined = await textsOf(copy, host, path);
  const counts: Record<string, number> = {};
  const request = joined.request && redact('request_body', joined.request, counts);
  const response = joined.response && redact('response_body', joined.response, counts);
  return {
    ...metadata,
    ...callOf(describeExchange({ host, path, status, request, response })),
    redactions: JSON.stringify(kindsField(counts)),
    request_body: cut(request),
    response_body: cut(response),
    request_truncated: Math.max(metadata.request_truncated, isLong(request)),
    response_truncated: Math.max(metadata.response_truncated, isLong(response)),
  };
}

const callOf = (call: LlmExchange | null) => ({
  model: call?.model ? textField(call.model, 200) : null,
  provider: call?.provider ? textField(call.provider, 100) : null,
  tokens_in: call?.tokens_in ?? null,
  tokens_out: call?.tokens_out ?? null,
});

const cut = (text: string | null): string | null => text && textField(text, LONGEST_CAPTURED_BODY);

const isLong = (text: string | null): number => Number((text?.length ?? 0) > LONGEST_CAPTURED_BODY);

/** The bodies as text, not redacted. */
export async function textsOf(
  copy: ExchangeCopy,
  host: string,
  path: string,
): Promise<JoinedExchange> {
  if (copy.webSocket) return joinMessages(textMessages(copy.webSocket.messages));
  const requestType = typeOf(copy.request);
  const responseType = typeOf(copy.response);
  return joinExchange({
    host,
    path,
    requestType,
    responseType,
    requestBody: await contentOf(copy.request),
    responseBody: copy.response && (await contentOf(copy.response)),
  });
}

async function contentOf(body: ObservedBody): Promise<Uint8Array | null> {
  if (body.beginning.length === 0 || pageParts.test(typeOf(body) ?? '')) return null;
  const bytes = Buffer.concat(body.beginning);
  const decoded = await decodeContent(
    bytes,
    headerOf(body, 'content-encoding'),
    MOST_DECODED_BYTES,
  );
  return decoded?.bytes ?? null;
}

/** One that is still compressed was left as it is, for it cannot be read. */
const textMessages = (messages: readonly ObservedMessage[]): SocketMessage[] =>
  messages
    .filter(({ opcode, compressed }) => opcode === 'text' && !compressed)
    .map(({ from, bytes }) => ({ from, text: Buffer.from(bytes).toString('utf8') }));
