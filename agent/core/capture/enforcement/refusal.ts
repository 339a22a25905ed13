import { normalizeHost } from '#domain/hosts/host-catalog.ts';
import { apiOfUrl } from '#domain/providers/apis.ts';
import { hostsOfRequest, listOf } from '../wire/headers.ts';
import type { RequestHead } from './held-request.ts';

/** Why a call is refused. */
export interface PolicyRefusal {
  /** The name of the policy; null if unknown. */
  policy: string | null;
  reason: string;
}

/** The error format of a provider. */
interface ErrorShape {
  body: (message: string) => object;
  headers?: Readonly<Record<string, string>>;
}

const openAi: ErrorShape = {
  body: (message) => ({
    error: { message, type: 'permission_error', param: null, code: 'policy_refused' },
  }),
};
const anthropic: ErrorShape = {
  body: (message) => ({ type: 'error', error: { type: 'permission_error', message } }),
};
const gemini: ErrorShape = {
  body: (message) => ({ error: { code: 403, message, status: 'PERMISSION_DENIED' } }),
};
const aws: ErrorShape = {
  body: (message) => ({ message }),
  headers: { 'x-amzn-errortype': 'AccessDeniedException' },
};
const ollama: ErrorShape = { body: (message) => ({ error: message }) };
const cohere: ErrorShape = { body: (message) => ({ message }) };
/**
 * The error format for web applications and unknown APIs: repeats the message in all common places.
 */
const generic: ErrorShape = {
  body: (message) => ({
    error: { message, type: 'permission_error' },
    message,
    detail: message,
  }),
};

const byApi: Readonly<Record<string, ErrorShape>> = {
  'openai-chat': openAi,
  'openai-responses': openAi,
  'openai-realtime': openAi,
  'openai-completions': openAi,
  'anthropic-messages': anthropic,
  'claude-ai': anthropic,
  gemini,
  'bedrock-converse': aws,
  'bedrock-invoke': aws,
  'amazon-q': aws,
  ollama,
  'cohere-chat': cohere,
};

/** Several providers have APIs for embeddings and images. */
const shapesByPath: readonly (readonly [RegExp, ErrorShape])[] = [
  [/:(?:(?:batchE|e)mbedContents?|predict)\/*$/, gemini],
  [/\/api\/embed(?:dings)?\/*$/, ollama],
  [/\/v[12]\/embed\/*$/, cohere],
  [/\/(?:embeddings|images\/(?:generations|edits))\/*$/, openAi],
];

function shapeOf(host: string, path: string): ErrorShape {
  const id = apiOfUrl(host, path)?.id ?? '';
  return byApi[id] ?? shapesByPath.find(([pattern]) => pattern.test(path))?.[1] ?? generic;
}

export const messageOf = ({ policy, reason }: PolicyRefusal): string => {
  const who = policy === null ? 'policy' : `policy ${JSON.stringify(policy)}`;
  return `Blocked by your organization's ${who}${reason === '' ? '' : `: ${reason}`}`;
};

export const pathOf = (target: string): string => target.replace(/[?#].*$/s, '');

/** The headers and body of a refusal in the provider's error format. */
export function refusalContent(
  host: string,
  target: string,
  refusal: PolicyRefusal,
): { headers: Readonly<Record<string, string>>; content: Uint8Array } {
  const { body, headers = {} } = shapeOf(normalizeHost(host), pathOf(target));
  const content = new TextEncoder().encode(JSON.stringify(body(messageOf(refusal))));
  return {
    headers: {
      'content-type': 'application/json',
      'content-length': String(content.length),
      ...headers,
    },
    content,
  };
}

/** A complete HTTP/1.1 response (RFC 9112, 4). */
export function buildRefusalResponse(
  { host, target, keepAlive }: { host: string; target: string; keepAlive: boolean },
  refusal: PolicyRefusal,
): Uint8Array {
  const { headers, content } = refusalContent(host, target, refusal);
  const lines = Object.entries({
    ...headers,
    ...(!keepAlive && { connection: 'close' }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = new TextEncoder().encode(`HTTP/1.1 403 Forbidden\r\n${lines.join('')}\r\n`);
  const answer = new Uint8Array(head.length + content.length);
  answer.set(head);
  answer.set(content, head.length);
  return answer;
}

/** Whether the client may send another request on the same connection (RFC 9112, 9.3). */
export const keepsAlive = ({
  version,
  headers,
}: Pick<RequestHead, 'version' | 'headers'>): boolean =>
  version === 'http/1.1' && !listOf(headers, 'connection').includes('close');

/**
 * Returns whether a request is an LLM call, according to its head. Returns false if all hosts that the
 * request names are others than the connection's.
 */
export const isLlmCall = (host: string, head: RequestHead): boolean =>
  head.method === 'POST' &&
  isForHost(host, head) &&
  apiOfUrl(host, pathOf(head.target)) !== undefined;

/** Whether a request names the host or none. One that names several hosts may be for any of them. */
export function isForHost(host: string, { authority, headers }: RequestHead): boolean {
  const names = hostsOfRequest(authority, headers).map(normalizeHost);
  return names.length === 0 || names.includes(normalizeHost(host));
}
