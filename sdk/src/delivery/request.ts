import type { Settings } from '../config.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  timeoutMs?: number;
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
): Send {
  return async ({ method, path, body, timeoutMs = settings.timeoutMs }) => {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    // Not AbortSignal.any: Node 20 keeps every signal made from a long-lived one.
    const timer = setTimeout(stop, timeoutMs);
    ended.addEventListener('abort', stop, { once: true });
    if (ended.aborted) stop();
    try {
      const response = await fetch(settings.baseUrl + path, {
        method,
        headers: {
          'x-svc-key': settings.apiKey,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        // A redirect would carry the key to another place, and would turn a POST into a GET.
        redirect: 'manual',
        signal: controller.signal,
      });
      return judge(response, await response.text());
    } catch (error) {
      const message = controller.signal.aborted
        ? `no answer within ${timeoutMs} ms`
        : reasonOf(error);
      return { kind: 'away', message, retryAfterMs: 0 };
    } finally {
      clearTimeout(timer);
      ended.removeEventListener('abort', stop);
    }
  };
}

// What a proxy answers when there is no server behind it, and a server without its database.
const AWAY = [502, 503, 504];

function judge(response: Response, text: string): Answer {
  const { status } = response;
  if (response.ok) {
    const body = parse(text);
    if (body !== undefined) return { kind: 'ok', body };
    return { kind: 'again', status, message: 'the answer is not JSON', retryAfterMs: 0 };
  }
  const message = messageOf(response, text);
  const retryAfterMs = retryAfter(response.headers.get('retry-after'));
  if (AWAY.includes(status)) return { kind: 'away', message, retryAfterMs };
  if (status >= 500 || status === 408 || status === 429)
    return { kind: 'again', status, message, retryAfterMs };
  return { kind: 'refused', status, message };
}

function messageOf(response: Response, text: string): string {
  const to = response.headers.get('location');
  if (to) return `HTTP ${response.status}: it redirects to ${to}; set the address to where it is`;
  const said = (parse(text) as { error?: string | { message?: string } } | undefined)?.error;
  const line = typeof said === 'string' ? said : said?.message;
  return line ? line.slice(0, 500) : `HTTP ${response.status}`;
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
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ('code' in cause ? String(cause.code) : error.message);
}
