import { isExactNumber, parseExactly } from './exact-json.ts';
import { isObject, type RpcMessage, TOOL_CALL } from './json-rpc.ts';

/** The error response to what is not forwarded. */
export interface RpcRefusal {
  jsonrpc: '2.0';
  id: RpcMessage['id'];
  error: { code: number; message: string };
}

export interface ClientMessages {
  /** Messages that every JSON-RPC parser understands like this one. */
  messages: RpcMessage[];
  refusals: RpcRefusal[];
  isBatch: boolean;
}

/** https://www.jsonrpc.org/specification#error_object */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/**
 * Reads a client's line, which must be one JSON-RPC message or a batch of them. A server's parser
 * may be lenient, so whatever such a parser could understand as a tool call that was not checked is
 * refused: text that is not JSON, nested batches, and names that only some parsers take for those
 * of the specification.
 */
export function readClientLine(line: Buffer): ClientMessages {
  let parsed: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    if (/^[ \t\r\n]*$/.test(text)) return { messages: [], refusals: [], isBatch: false };
    parsed = parseExactly(text);
  } catch {
    const refusal = refuse(null, PARSE_ERROR, 'Parse error: the line is not JSON in UTF-8');
    return { messages: [], refusals: [refusal], isBatch: false };
  }
  const isBatch = Array.isArray(parsed);
  const all: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const result: ClientMessages = { messages: [], refusals: [], isBatch };
  if (all.length === 0) result.refusals.push(invalidRequest(null, 'the batch is empty'));
  for (const one of all) {
    const refusal = refusalOfMessage(one);
    if (refusal) result.refusals.push(refusal);
    else result.messages.push(one as RpcMessage);
  }
  return result;
}

/** The members of all kinds of messages. */
const members: ReadonlySet<string> = new Set([
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
]);

function refusalOfMessage(value: unknown): RpcRefusal | null {
  if (!isObject(value)) return invalidRequest(null, 'a message must be a JSON object');
  const { id, method } = value;
  // A response has an id of the server, which must not be taken for one of the client.
  const ownId = typeof method === 'string' && isRequestId(id) ? id : null;
  const other = Object.keys(value).find((name) => !members.has(name));
  if (other !== undefined)
    return invalidRequest(ownId, `JSON-RPC has no member ${JSON.stringify(other)}`);
  if (value.jsonrpc !== '2.0') return invalidRequest(ownId, '"jsonrpc" must be "2.0"');
  const reason = method === undefined ? whyNoResponse(value) : whyNoRequest(value);
  if (reason !== null) return invalidRequest(ownId, reason);
  const badParams = method === TOOL_CALL ? whyNoCall(value.params) : null;
  return badParams === null ? null : refuse(ownId, INVALID_PARAMS, `Invalid params: ${badParams}`);
}

function whyNoRequest(value: Record<string, unknown>): string | null {
  const { id, method, result, error } = value;
  if (typeof method !== 'string' || !isPlain(method))
    return '"method" must be a string without control characters';
  if (id !== undefined && !isRequestId(id)) return '"id" must be a string or an integer';
  if (result !== undefined || error !== undefined) return 'a request has no "result" or "error"';
  return null;
}

function whyNoResponse({ id, result, error }: Record<string, unknown>): string | null {
  if ((result === undefined) === (error === undefined))
    return 'a message must have "method", "result" or "error"';
  return isRequestId(id) || id === null ? null : '"id" must be a string or an integer';
}

/**
 * Go's `encoding/json` ignores the case of members, and C strings end at U+0000, as those of
 * segmentio/encoding did: https://github.com/advisories/GHSA-wvj2-96wp-fq3f,
 * https://github.com/advisories/GHSA-q382-vc8q-7jhj
 */
function whyNoCall(params: unknown): string | null {
  if (!isObject(params)) return '"params" must be a JSON object';
  const { name } = params;
  if (typeof name !== 'string' || name === '' || !isPlain(name))
    return '"name" must be a string without control characters';
  const ambiguous = Object.keys(params).find((member) => !isPlain(member) || isLikeOther(member));
  return ambiguous === undefined
    ? null
    : `the member ${JSON.stringify(ambiguous)} can be taken for another one`;
}

const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

const isLikeOther = (member: string): boolean =>
  ['name', 'arguments'].some((known) => member !== known && foldCase(member) === known);

/** Both ways, because `ſ` has only an upper case in ASCII and `K` (kelvin) only a lower case. */
const foldCase = (text: string): string => text.toUpperCase().toLowerCase();

/** An integer is as long as the client chooses. */
const isRequestId = (id: unknown): id is Exclude<RpcMessage['id'], null | undefined> =>
  typeof id === 'string' ||
  Number.isSafeInteger(id) ||
  (isExactNumber(id) && /^-?[1-9]\d*$/.test(id.rawJSON));

const invalidRequest = (id: RpcMessage['id'], why: string): RpcRefusal =>
  refuse(id, INVALID_REQUEST, `Invalid request: ${why}`);

const refuse = (id: RpcMessage['id'], code: number, message: string): RpcRefusal => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
