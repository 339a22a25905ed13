import type { Settings } from '../config.ts';
import { chooseTransport } from './choose-transport.ts';
import type { Incoming } from './transport.ts';
import { unref } from '../unref.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  timeoutMs?: number;
  /** Nobody waits for it: it does not keep an otherwise finished process alive. */
  background?: boolean;
}

/**
 * What came of a request. `ok`: done. `refused`: sending it again would change nothing. `again`:
 * the server is there but could not do it now. `away`: there is no server, or none that works.
 */
export type Answer =
  | { kind: 'ok'; body: unknown }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'again'; status: number; message: string; retryAfterMs: number }
  | { kind: 'away'; message: string; retryAfterMs: number };

/** Never throws, and ends in time. */
export type Send = (request: Request) => Promise<Answer>;

export function createSend(
  settings: Pick<Settings, 'apiKey' | 'baseUrl' | 'timeoutMs'>,
  ended: AbortSignal,
  transport = chooseTransport(),
): Send {
  const underWay = new Set<AbortController>();
  // One listener for all requests: Node warns of many.
  ended.addEventListener('abort', () => {
    for (const controller of underWay) controller.abort();
  });
  return async (request) => {
    const { method, path, body, timeoutMs = settings.timeoutMs, background = false } = request;
    const controller = new AbortController();
    underWay.add(controller);
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
      return judge(incoming);
    } catch (error) {
      const message = controller.signal.aborted
        ? `no answer within ${timeoutMs} ms`
        : reasonOf(error);
      return { kind: 'away', message, retryAfterMs: 0 };
    } finally {
      clearTimeout(timer);
      underWay.delete(controller);
    }
  };
}

// What a proxy answers when there is no server behind it, and a server without its database.
const AWAY = [502, 503, 504];

function judge({ status, header, text }: Incoming): Answer {
  if (status >= 200 && status < 300) {
    const body = parse(text);
    if (body !== undefined) return { kind: 'ok', body };
    return { kind: 'again', status, message: 'the answer is not JSON', retryAfterMs: 0 };
  }
  const message = messageOf(status, header('location'), text);
  const retryAfterMs = retryAfter(header('retry-after'));
  if (AWAY.includes(status)) return { kind: 'away', message, retryAfterMs };
  if (status >= 500 || status === 408 || status === 429)
    return { kind: 'again', status, message, retryAfterMs };
  return { kind: 'refused', status, message };
}

function messageOf(status: number, to: string | null, text: string): string {
  if (to) return `HTTP ${status}: it redirects to ${to}; set the address to where it is`;
  const said = (parse(text) as { error?: string | { message?: string } } | undefined)?.error;
  const line = typeof said === 'string' ? said : said?.message;
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

const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** Seconds or a date, as HTTP has it; 0 when it is neither. */
function retryAfter(header: string | null): number {
  if (!header) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS) : 0;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch says "fetch failed" and keeps what happened in the cause.
  const inner = error.cause instanceof Error ? error.cause : error;
  // Where each of a host's addresses failed, there is only a code.
  return inner.message || ('code' in inner ? String(inner.code) : error.message);
}
