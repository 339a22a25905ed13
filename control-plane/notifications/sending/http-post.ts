import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type BlockList } from 'node:net';
import type { Outcome } from '../retry-rules.ts';
import { oneLine } from '../text-rules.ts';
import { AddressRefused, checkAddress, checkedLookup } from './reachable-addresses.ts';

const MAX_ANSWER_BYTES = 4096;
const SHOWN_ANSWER = 200;

export interface Post {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface PostOptions {
  /** Private networks to which requests may be sent. */
  allowed: BlockList;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Sends a request to an address on the internet or in an allowed network. Redirects are not
 * followed, and only the beginning of the answer is read.
 */
export async function post(message: Post, options: PostOptions): Promise<Outcome> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    const signal = AbortSignal.any([timeout, options.signal]);
    return outcomeOf(await exchange(message, options.allowed, signal));
  } catch (error) {
    if (timeout.aborted)
      return refused(`no answer from ${message.url.host} within ${options.timeoutMs / 1000} s`);
    if (error instanceof AddressRefused) return { ...refused(error.message), retry: false };
    return refused(`${message.url.host}: ${describeSendError(error)}`);
  }
}

const refused = (error: string) => ({ kind: 'refused', error, retry: true }) as const;

interface Answer {
  status: number;
  statusText: string;
  text: string;
  location: boolean;
  retryAfterMs: number | undefined;
}

function exchange(
  { url, headers, body }: Post,
  allowed: BlockList,
  signal: AbortSignal,
): Promise<Answer> {
  const isEncrypted = url.protocol === 'https:';
  const check = (address: string): void => checkAddress(address, allowed, isEncrypted);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    // An address is not looked up, so it is checked here.
    if (isIP(host)) check(host);
    const open = isEncrypted ? requestHttps : requestHttp;
    const request: ClientRequest = open(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        lookup: checkedLookup(check),
        signal,
      },
      (response) => {
        readStart(response).then((text) => {
          request.destroy();
          resolve(answerOf(response, text));
        }, reject);
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

/** Reads at most `MAX_ANSWER_BYTES`. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

const answerOf = ({ statusCode, statusMessage, headers }: IncomingMessage, text: string) => ({
  status: statusCode ?? 0,
  statusText: statusMessage ?? '',
  text,
  location: headers.location !== undefined,
  retryAfterMs: /^\d{1,6}$/.test(headers['retry-after'] ?? '')
    ? Number(headers['retry-after']) * 1000
    : undefined,
});

/** The status 410 means that the receiver is permanently gone (Standard Webhooks). */
const GONE = 410;

function outcomeOf({ status, statusText, text, location, retryAfterMs }: Answer): Outcome {
  const shown = oneLine(text, SHOWN_ANSWER);
  const answer = `HTTP ${status} ${oneLine(statusText, 60)}`.trim() + (shown && `: ${shown}`);
  if (status >= 200 && status < 300) return { kind: 'delivered', answer };
  const error =
    location && status < 400 ? `${answer} (redirects are not followed)` : `answered ${answer}`;
  return { kind: 'refused', error, answer, retry: status !== GONE, retryAfterMs };
}

const errorTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name could not be resolved at the moment',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the host is unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** Describes an error without the URL, which may contain a secret. */
export function describeSendError(error: unknown): string {
  const { code = '', errors } = error as { code?: string; errors?: { code?: string }[] };
  const actual = code || errors?.[0]?.code || '';
  return errorTexts[actual] ?? (actual || 'the request failed');
}
