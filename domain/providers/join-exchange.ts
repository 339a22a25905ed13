import { joinAiSdkStream } from './ai-sdk-stream.ts';
import type { Call, StreamEvent } from './api.ts';
import { apiOf, apiOfUrl } from './apis.ts';
import { readForm } from './form-body.ts';
import { gemini } from './gemini.ts';
import { isObject, textWithoutLogprobs } from './json-fields.ts';
import { joinByPath } from './join-by-path.ts';
import { readMultipart } from './multipart-body.ts';
import { parseTruncatedJson, parseJson } from './parse-json.ts';
import { plainPath } from './plain-path.ts';
import { looksLikeAiSdkLines, readAiSdkLines } from './stream-formats/ai-sdk-lines.ts';
import { readAwsEventStream } from './stream-formats/aws-event-stream.ts';
import { decodeText, formatOf } from './stream-formats/body-format.ts';
import { readConnectFrames } from './stream-formats/connect-frames.ts';
import { joinGoogleRpc, withoutGuard } from './stream-formats/google-rpc.ts';
import { readJsonValues } from './stream-formats/json-values.ts';
import { isLineStream } from './stream-formats/line-stream.ts';
import { looksLikeSse, readSse } from './stream-formats/sse.ts';

export interface CapturedExchange {
  host: string;
  /** The path without the query string. */
  path: string;
  /** The `Content-Type` headers. */
  requestType: string | null;
  responseType: string | null;
  /** The bodies after content decoding. They may be truncated. */
  requestBody: Uint8Array | string | null;
  /** The end of the request is missing. Only forms need to know it here. */
  isRequestTruncated?: boolean;
  responseBody: Uint8Array | string | null;
}

/** Texts that are not redacted yet; null if there is no body, or none that is read. */
export interface JoinedExchange {
  request: string | null;
  response: string | null;
  /** The recognized API. */
  api: string | null;
}

/**
 * The bodies of an exchange in readable form. A stream becomes the response that its events form,
 * so that redaction sees no value in pieces. A form becomes a JSON object of its members. Other
 * bodies stay unchanged, or are not read at all (`stream-formats/body-format.ts`).
 */
export function joinExchange(exchange: CapturedExchange): JoinedExchange {
  const { host, path, requestType, responseType, isRequestTruncated = false } = exchange;
  const request =
    requestText(exchange.requestBody, requestType, isRequestTruncated) ?? jsonOfCall(exchange);
  const call = {
    host,
    path: plainPath(path),
    request: request === null ? undefined : parseTruncatedJson(request),
  };
  const body = exchange.responseBody;
  const text = body === null ? null : textOfBody(body, responseType);
  const events = body === null ? [] : eventsOf(body, text, responseType);
  if (events.length > 0) return { request, ...joinEvents(call, events) };
  const parsed = text === null ? undefined : parseTruncatedJson(text);
  return {
    request,
    response: text && responseText(text, parsed),
    api: apiOf(call, [parsed])?.id ?? null,
  };
}

/** The text of a response that is not a known stream. */
function responseText(text: string, parsed: unknown): string | null {
  const rpc = joinGoogleRpc(text);
  if (rpc) return JSON.stringify(rpc);
  if (isObject(parsed)) return textWithoutLogprobs(parsed, text);
  return isLineStream(text) && parseJson(text) === undefined ? null : text;
}

/** The number of leading events that determine the stream's format. */
const DETECTION_EVENTS = 20;

function joinEvents(call: Call, events: readonly StreamEvent[]): Omit<JoinedExchange, 'request'> {
  const firstEvents = events.slice(0, DETECTION_EVENTS).map(({ data }) => data);
  const api = apiOf(call, firstEvents);
  const joined = api?.joinStream(events) ?? joinAiSdkStream(events) ?? joinByPath(events);
  return {
    response: joined && textWithoutLogprobs(joined),
    api: api?.id ?? null,
  };
}

/**
 * The JSON of a request to an LLM API with another type, or with a wrong one: servers that expect
 * nothing else than JSON do not look at the type.
 */
const jsonOfCall = ({ host, path, requestBody }: CapturedExchange): string | null =>
  requestBody !== null && apiOfUrl(host, path) ? textOfBody(requestBody, null) : null;

function requestText(
  body: Uint8Array | string | null,
  type: string | null,
  isTruncated: boolean,
): string | null {
  if (body === null) return null;
  if (formatOf(type) === 'connect-json' && typeof body !== 'string') {
    const [first, ...more] = readConnectFrames(body).map(({ data }) => data);
    return first === undefined ? null : JSON.stringify(more.length > 0 ? [first, ...more] : first);
  }
  return textOfBody(body, type, isTruncated);
}

function textOfBody(
  body: Uint8Array | string,
  type: string | null,
  isTruncated = false,
): string | null {
  const format = formatOf(type);
  if (['other', 'aws-event-stream', 'connect-json'].includes(format)) return null;
  if (format === 'multipart')
    return typeof body === 'string' ? null : readMultipart(body, type ?? '');
  const decoded = typeof body === 'string' ? body : decodeText(body, type);
  if (!decoded) return null;
  if (format === 'form') return readForm(decoded, isTruncated);
  const text = withoutGuard(decoded);
  return format === 'unknown' && !isKnownText(text) ? null : text;
}

/** Text without a type may be a file. */
const isKnownText = (text: string): boolean =>
  /^\s*[[{]/.test(text) || looksLikeSse(text) || looksLikeAiSdkLines(text);

function eventsOf(
  body: Uint8Array | string,
  text: string | null,
  type: string | null,
): StreamEvent[] {
  const format = formatOf(type);
  if (format === 'aws-event-stream')
    return typeof body === 'string' ? [] : readAwsEventStream(body);
  if (format === 'connect-json') return typeof body === 'string' ? [] : readConnectFrames(body);
  if (text === null) return [];
  // Some servers send streams with another content type or none, and errors are often plain bodies.
  if (looksLikeSse(text)) return readSse(text);
  if (looksLikeAiSdkLines(text)) return readAiSdkLines(text);
  return format === 'json-values' || isListOfChunks(text) || isSeveralValues(text)
    ? readJsonValues(text)
    : [];
}

/** Gemini streams a JSON list if the client does not request SSE. */
const isListOfChunks = (text: string): boolean =>
  /^\s*\[\s*\{/.test(text) && gemini.isResponse(readJsonValues(text, 1)[0]?.data);

const isSeveralValues = (text: string): boolean =>
  /^\s*\{/.test(text) && parseJson(text) === undefined && readJsonValues(text, 1).length > 0;
