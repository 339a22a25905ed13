import type { Settings } from '../config.ts';
import { chooseTransport } from './fetch-transport.ts';
import type { TransportResponse } from './transport.ts';
import { unref } from './alarm.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  timeoutMs?: number;
  /** The request does not keep the process alive, because no caller awaits the result. */
  background?: boolean;
}

/**
 * The result of a request. `ok`: success. `refused`: permanent error, not to be retried. `retry`:
 * transient error of the server. `unavailable`: the server is unavailable.
 */
export type SendResult =
  | { kind: 'ok'; body: unknown }
  | ({ kind: 'refused'; status: number } & Failure)
  | ({ kind: 'retry'; status: number; retryAfterMs: number } & Failure)
  | ({ kind: 'unavailable'; retryAfterMs: number } & Failure);

interface Failure {
  message: string;
  /** The control plane's reason. Undefined without its response. */
  reason?: string | undefined;
}

/** Sends a request. Never rejects, and resolves within the timeout. */
export type Send = (request: Request) => Promise<SendResult>;

export function createSend(
  settings: Pick<Settings, 'apiKey' | 'baseUrl' | 'timeoutMs'>,
  ended: AbortSignal,
  transport = chooseTransport(),
): Send {
  const inFlight = new Set<AbortController>();
  // One listener serves all requests, because Node warns about many listeners.
  ended.addEventListener('abort', () => {
    for (const controller of inFlight) controller.abort();
  });
  return async (request) => {
    const { method, path, body, timeoutMs = settings.timeoutMs, background = false } = request;
    const controller = new AbortController();
    inFlight.add(controller);
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    if (background) unref(timer);
    if (ended.aborted) controller.abort();
    try {
      const incoming = await transport({
        url: settings.baseUrl + path,
        method,
        headers: {
          'x-svc-key': settings.apiKey,
          'user-agent': 'svc-observe',
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body,
        signal: controller.signal,
        background,
      });
      return toResult(incoming);
    } catch (error) {
      const message = controller.signal.aborted
        ? `no response within ${timeoutMs} ms`
        : reasonOf(error);
      return { kind: 'unavailable', message, retryAfterMs: 0 };
    } finally {
      clearTimeout(timer);
      inFlight.delete(controller);
    }
  };
}

// These are sent by a proxy without a backend, and by a server without its database.
const UNAVAILABLE = [502, 503, 504];

function toResult({ status, header, text }: TransportResponse): SendResult {
  if (status >= 200 && status < 300) {
    const body = parse(text);
    if (body !== undefined) return { kind: 'ok', body };
    return { kind: 'retry', status, message: 'the response is not JSON', retryAfterMs: 0 };
  }
  const message = messageOf(status, header('location'), text);
  const reason = header('x-error-reason') ?? undefined;
  const retryAfterMs = retryAfter(header('retry-after'));
  if (UNAVAILABLE.includes(status)) return { kind: 'unavailable', message, reason, retryAfterMs };
  if (status >= 500 || status === 408 || status === 429)
    return { kind: 'retry', status, message, reason, retryAfterMs };
  return { kind: 'refused', status, message, reason };
}

function messageOf(status: number, to: string | null, text: string): string {
  if (to) return `HTTP ${status}: redirected to ${to}; configure that URL instead`;
  const error = (parse(text) as { error?: string | { message?: string } } | undefined)?.error;
  const line = typeof error === 'string' ? error : error?.message;
  return line ? line.slice(0, 500) : `HTTP ${status}`;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const MAX_RETRY_AFTER_MS = 5 * 60_000;

/** Parses `Retry-After`, in seconds or as a date, to milliseconds. Returns 0 if it is invalid. */
function retryAfter(header: string | null): number {
  if (!header) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message of fetch is always "fetch failed", so the reason is in the cause.
  const inner = error.cause instanceof Error ? error.cause : error;
  // If all addresses of a host failed, the error only has a code.
  return inner.message || ('code' in inner ? String(inner.code) : error.message);
}
