import { findCatalogHost } from '../hosts/host-catalog.ts';
import type { Api, Call, Description } from './api.ts';
import { apiOf, apiOfUrl } from './apis.ts';
import { type LlmExchange, emptyExchange } from './exchange.ts';
import { field, listOf, textOf } from './json-fields.ts';
import { parseTruncatedJson } from './parse-json.ts';
import { plainPath } from './plain-path.ts';

export interface ReportedExchange {
  host: string;
  /** The path without the query string. */
  path: string;
  /** The joined bodies, redacted or not, complete or truncated. */
  request: string | null;
  response: string | null;
  status: number | null;
}

/**
 * Describes the content and usage of an LLM call. Null for other exchanges: telemetry, files,
 * lists.
 */
export function describeExchange(exchange: ReportedExchange): LlmExchange | null {
  const read = readExchange(exchange);
  return read && complete(read, read.api.describe(read.call, read.response), errorOfExchange(read));
}

/**
 * Describes each response of an exchange: a WebSocket may have many, all other LLM calls have one.
 * Empty for exchanges that are no LLM calls.
 */
export function describeResponses(exchange: ReportedExchange): LlmExchange[] {
  const read = readExchange(exchange);
  if (!read) return [];
  const { api, call, response } = read;
  const each = api.describeEach?.(call, response) ?? [];
  const descriptions = each.length > 0 ? each : [api.describe(call, response)];
  // An error that belongs to no response ended the last one, or came after it.
  const last = descriptions.length - 1;
  return descriptions.map((description, index) =>
    complete(read, description, index === last ? errorOfExchange(read) : null),
  );
}

/**
 * Describes a call before it is sent. If its body cannot be parsed, by the URL alone, which names the
 * model of some APIs. Null for other requests.
 */
export function describeCall({
  host,
  path,
  request,
}: Pick<ReportedExchange, 'host' | 'path' | 'request'>): LlmExchange | null {
  const described = describeExchange({ host, path, request, response: null, status: null });
  const api = described ? undefined : apiOfUrl(host, path);
  if (!api) return described;
  const call = { host, path: plainPath(path), request: undefined };
  const read = { api, call, response: undefined, status: null };
  return complete(read, api.describe(call, undefined), null);
}

interface ReadExchange {
  api: Api;
  call: Call;
  response: unknown;
  status: number | null;
}

function readExchange({ host, path, status, ...exchange }: ReportedExchange): ReadExchange | null {
  const request = exchange.request === null ? undefined : parseTruncatedJson(exchange.request);
  const response = exchange.response === null ? undefined : parseTruncatedJson(exchange.response);
  const call = { host, path: plainPath(path), request };
  const api = apiOf(call, [response]);
  return api ? { api, call, response, status } : null;
}

function complete(
  { api, call, response }: ReadExchange,
  description: Description,
  error: string | null,
): LlmExchange {
  const { host, path, request } = call;
  return {
    ...emptyExchange,
    ...description,
    provider: findCatalogHost(host)?.provider ?? api.provider,
    // Azure identifies the model by its deployment.
    model: description.model ?? textOf(/\/deployments\/([^/]+)\//.exec(path)?.[1]),
    error: description.error ?? error,
    conversation_id: description.conversation_id ?? conversationOf(request, response),
    user: description.user ?? userOf(request),
  };
}

/** The provider's error message, in any of the formats that providers use. */
function errorOfExchange({ response, status }: ReadExchange): string | null {
  const body = Array.isArray(response) ? (response[0] as unknown) : response;
  const error = field(body, 'error');
  const message =
    textOf(field(error, 'message')) ?? textOf(error) ?? textOf(field(body, 'error_message'));
  if (message !== null || status === null || status < 400) return message;
  return (
    textOf(field(body, 'message')) ??
    textOf(field(body, 'Message')) ??
    detailOf(body) ??
    // Mistral.
    detailOf(field(body, 'message')) ??
    textOf(field(listOf(field(body, 'errors'))[0], 'message'))
  );
}

/** The error of FastAPI: a text, or the first failed validation. */
function detailOf(body: unknown): string | null {
  const detail = field(body, 'detail');
  return textOf(detail) ?? textOf(field(detail, 0, 'msg')) ?? textOf(field(detail, 0));
}

const CONVERSATION_NAMES = ['conversation', 'session', 'thread'].flatMap((name) => [
  `${name}_id`,
  `${name}Id`,
]);

function conversationOf(request: unknown, response: unknown): string | null {
  const places = [request, field(request, 'metadata'), response];
  return firstText(places, CONVERSATION_NAMES);
}

const userOf = (request: unknown): string | null =>
  firstText([request], ['user', 'safety_identifier', 'end_user_id']) ??
  firstText([field(request, 'metadata')], ['user_id', 'userId']);

function firstText(places: readonly unknown[], names: readonly string[]): string | null {
  const texts = places.flatMap((place) => names.map((name) => textOf(field(place, name))));
  return texts.find((text) => text !== null) ?? null;
}
