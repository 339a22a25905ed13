import { isUtf8 } from 'node:buffer';
import type {
  ObservedBody,
  ObservedExchange,
  ObservedMessage,
  WebSocketPart,
} from '#agent/core/capture/wire/exchange.ts';
import { valuesOf } from '#agent/core/capture/wire/headers.ts';
import { type CaptureReport, MAX_CAPTURED_BODY_LENGTH } from '#contract/captures.ts';
import { apiOfUrl } from '#domain/providers/apis.ts';
import { describeExchange } from '#domain/providers/describe-exchange.ts';
import { isFileDownload, isFileUpload } from '#domain/providers/file-transfer.ts';
import { withoutFileData } from '#domain/providers/file-data.ts';
import type { LlmExchange } from '#domain/providers/exchange.ts';
import { shortenConversation } from '#domain/providers/shorten-conversation.ts';
import { removeTruncatedWords } from '#domain/providers/truncated-words.ts';
import { joinExchange, type JoinedExchange } from '#domain/providers/join-exchange.ts';
import { joinMessages, type SocketMessage } from '#domain/providers/join-messages.ts';
import { formatOf } from '#domain/providers/stream-formats/body-format.ts';
import { decodeContent, type DecodedContent } from './content-coding.ts';
import type { Redactor } from './redactor.ts';
import { kindsField, mediaTypeField, textField } from './report-fields.ts';

/** An observed exchange, without members that cannot be sent to another thread. */
export type ExchangeCopy = Omit<ObservedExchange, 'release'>;

export interface ReportFacts {
  id: string;
  host: string;
  app_id: string | null;
  process: string | null;
  user: string | null;
  /** Set if a policy refused the call and the agent sent the response. */
  refused?: true;
}

const MAX_DECODED_BYTES = 4 * 1024 * 1024;

export const headerOf = ({ headers }: ObservedBody, headerName: string): string | null =>
  headers.find(([name]) => name === headerName)?.[1] ?? null;

const contentTypeOf = (body: ObservedBody | null): string | null =>
  (body && headerOf(body, 'content-type')?.slice(0, 200)) ?? null;

/**
 * Builds the metadata of an exchange. Nothing else is reported if its bodies cannot be redacted.
 */
export function buildMetadata(
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
    request_type: mediaTypeField(contentTypeOf(copy.request)),
    response_type: mediaTypeField(contentTypeOf(copy.response)),
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

/**
 * Builds the whole report: bodies decoded, streams joined, and everything redacted before
 * truncation.
 */
export async function buildRedactedReport(
  copy: ExchangeCopy,
  facts: ReportFacts,
  redactor: Redactor,
): Promise<CaptureReport> {
  const metadata = buildMetadata(copy, facts, redactor.pathOf);
  const { host, path, status } = metadata;
  const joined = await decodeBodies(copy, host, path);
  const counts: Record<string, number> = {};
  const request = redactBody(redactor, 'request_body', joined.request, counts);
  const response = redactBody(redactor, 'response_body', joined.response, counts);
  return {
    ...metadata,
    ...callOf(describeExchange({ host, path, status, request, response })),
    redactions: JSON.stringify(kindsField(counts)),
    request_body: truncate(request && shortenConversation(request, MAX_CAPTURED_BODY_LENGTH)),
    response_body: truncate(response),
    request_truncated: Math.max(metadata.request_truncated, isTooLong(request)),
    response_truncated: Math.max(metadata.response_truncated, isTooLong(response)),
  };
}

/**
 * Removes files from a body and redacts the rest. Text files are only searched: what they contain
 * counts, so that a policy can refuse the call.
 */
export function redactBody(
  { redact }: Redactor,
  field: 'request_body' | 'response_body',
  body: string | null,
  counts: Record<string, number>,
): string | null {
  if (!body) return null;
  const { text, fileTexts } = withoutFileData(body);
  for (const fileText of fileTexts) redact(field, fileText, counts);
  return redact(field, text, counts);
}

const callOf = (call: LlmExchange | null) => ({
  model: call?.model ? textField(call.model, 200) : null,
  provider: call?.provider ? textField(call.provider, 100) : null,
  tokens_in: call?.tokens_in ?? null,
  tokens_out: call?.tokens_out ?? null,
});

const truncate = (text: string | null): string | null =>
  text && textField(text, MAX_CAPTURED_BODY_LENGTH);

const isTooLong = (text: string | null): number =>
  Number((text?.length ?? 0) > MAX_CAPTURED_BODY_LENGTH);

/** Decodes the bodies as text, not redacted. Words that were cut off at the end are removed. */
export async function decodeBodies(
  copy: ExchangeCopy,
  host: string,
  path: string,
): Promise<JoinedExchange> {
  if (copy.webSocket) return joinWebSocket(copy, copy.webSocket);
  const requestType = contentTypeOf(copy.request);
  const { request, response } = await decodeContents(copy, host, path);
  const joined = joinExchange({
    host,
    path,
    requestType,
    responseType: contentTypeOf(copy.response),
    requestBody: request?.bytes ?? null,
    isRequestTruncated: request?.truncated ?? false,
    responseBody: response?.bytes ?? null,
  });
  const isResponseTruncated =
    response && (response.truncated || endsWithConnection(copy)) && !hasEndOfStream(response.bytes);
  return withoutIncompleteWords(joined, {
    // Only the last member of a form is incomplete, and it was cut when the form was read.
    request: request?.truncated && !['form', 'multipart'].includes(formatOf(requestType)),
    response: isResponseTruncated,
  });
}

/** Decodes the contents of an exchange, except whole files and what is not read. */
async function decodeContents(copy: ExchangeCopy, host: string, path: string) {
  const { method, request, response } = copy;
  const isUpload = isFileUpload(method, path, contentTypeOf(request));
  const isRead = !isUpload && (isReadable(request) || apiOfUrl(host, path) !== undefined);
  return {
    request: isRead ? await decodeBody(request) : null,
    response:
      response && isReadable(response) && !isFileDownload(path) ? await decodeBody(response) : null,
  };
}

const isReadable = (body: ObservedBody): boolean => formatOf(contentTypeOf(body)) !== 'other';

/** The sides whose end is missing. */
interface TruncatedSides {
  request: boolean | null | undefined;
  response: boolean | null | undefined;
  isContinued?: boolean;
}

function withoutIncompleteWords(
  joined: JoinedExchange,
  { request, response, isContinued }: TruncatedSides,
) {
  const cut = { isKnownApi: joined.api !== null };
  return {
    ...joined,
    request: request && joined.request ? removeTruncatedWords(joined.request, cut) : joined.request,
    response:
      joined.response && (response || isContinued)
        ? removeTruncatedWords(joined.response, { ...cut, isContinued: isContinued ?? false })
        : joined.response,
  };
}

/**
 * Whether the response ends with the connection (RFC 9112, 6.3): a reset then looks like a normal
 * end.
 */
const endsWithConnection = ({ protocol, response }: ExchangeCopy): boolean =>
  response !== null &&
  protocol !== 'h2' &&
  headerOf(response, 'content-length') === null &&
  headerOf(response, 'transfer-encoding') === null;

const MAX_END_LENGTH = 4096;
/** The last event of a stream, after which no text continues. */
const endOfStream =
  /data:\s*\[DONE\]\s*$|"type"\s*:\s*"(?:message_stop|response\.(?:done|completed|incomplete|failed))"|"(?:done|turnComplete)"\s*:\s*true/;

const hasEndOfStream = (bytes: Uint8Array): boolean =>
  endOfStream.test(Buffer.from(bytes.subarray(-MAX_END_LENGTH)).toString('utf8'));

/** Decodes a body. `truncated`: not all of it was received, copied and decoded. */
async function decodeBody(body: ObservedBody): Promise<DecodedContent | null> {
  if (body.beginning.length === 0) return null;
  const bytes = Buffer.concat(body.beginning);
  // Several lines are one list (RFC 9110, 5.3).
  const codings = valuesOf(body.headers, 'content-encoding').join(',');
  const decoded = await decodeContent(bytes, codings, MAX_DECODED_BYTES);
  const isCut = body.truncated || !body.complete;
  return decoded && { ...decoded, truncated: decoded.truncated || isCut };
}

/**
 * Joins the messages of a WebSocket. A text that the server sends in several messages may continue
 * in the next report, or never.
 */
function joinWebSocket(copy: ExchangeCopy, { messages, piece }: WebSocketPart): JoinedExchange {
  const joined = joinMessages(textMessages(messages));
  const isIncomplete = (side: ObservedMessage['from']): boolean =>
    messages.some(({ from, truncated, compressed }) => from === side && (truncated || compressed));
  const last = messages.findLast(({ from }) => from === 'server');
  const isUnfinished =
    (copy.endedAt === null || copy.aborted) && !(last && hasEndOfStream(last.bytes));
  return withoutIncompleteWords(joined, {
    request: copy.request.truncated || isIncomplete('client'),
    response: copy.response?.truncated || isIncomplete('server') || isUnfinished,
    isContinued: piece > 0,
  });
}

/**
 * Returns the messages that are text, except those that are still compressed and so cannot be read.
 * Google's Live API sends JSON in binary messages.
 */
const textMessages = (messages: readonly ObservedMessage[]): SocketMessage[] =>
  messages
    .filter(({ opcode, bytes, compressed }) => !compressed && (opcode === 'text' || isJson(bytes)))
    .map(({ from, bytes }) => ({ from, text: Buffer.from(bytes).toString('utf8') }));

const OPENING_BRACE = 0x7b;
const isJson = (bytes: Uint8Array): boolean => bytes[0] === OPENING_BRACE && isUtf8(bytes);
