import { REASON_HEADER } from './error-codes.ts';
import type { ErrorReason } from './error-reasons.ts';
import type { Contract, Route, RouteEvent, RouteRequest, RouteResponse } from './route.ts';

/**
 * Parses the events of a `text/event-stream` response, each as JSON. Stopping early ends the
 * request.
 */
export async function* readEvents(response: Response): AsyncGenerator {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const events = (rest + chunk.value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
    }
  } finally {
    await reader.cancel();
  }
}

/**
 * An error for a request that the service rejected, or a response that does not match the contract.
 */
export class ResponseError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /**
   * The machine-readable reason. Undefined if something other than the service responded, such as a
   * proxy. A newer service may send reasons that are not listed.
   */
  readonly reason: ErrorReason | undefined;
  /** The number of seconds after which to retry, if the service specified it. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    message: string,
    {
      code,
      reason,
      retryAfter,
    }: Partial<Pick<ResponseError, 'code' | 'reason' | 'retryAfter'>> = {},
  ) {
    super(message);
    this.name = 'ResponseError';
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

export interface RequestOptions {
  signal?: AbortSignal;
}

type Call<R extends Route> = keyof RouteRequest<R> extends never
  ? (request?: undefined, options?: RequestOptions) => Promise<RouteResponse<R>>
  : Partial<Record<keyof RouteRequest<R>, undefined>> extends RouteRequest<R>
    ? (request?: RouteRequest<R>, options?: RequestOptions) => Promise<RouteResponse<R>>
    : (request: RouteRequest<R>, options?: RequestOptions) => Promise<RouteResponse<R>>;

/**
 * The call of a route that can stream. It requests a stream and yields each event as it arrives.
 */
interface Streamed<R extends Route> {
  events(request: RouteRequest<R>, options?: RequestOptions): AsyncGenerator<RouteEvent<R>>;
}

export type Client<C extends Contract> = {
  [G in keyof C]: {
    [K in keyof C[G]]: C[G][K]['events'] extends object
      ? Call<C[G][K]> & Streamed<C[G][K]>
      : Call<C[G][K]>;
  };
};

export interface ClientOptions {
  baseUrl: string;
  headers?: () => Record<string, string>;
  /** Default: `fetch`. The agent passes its own implementation, which has a client certificate. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

interface AnyRequest {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Creates a function for each route of the contract. */
export function createClient<C extends Contract>(contract: C, options: ClientOptions): Client<C> {
  const call = (route: Route) =>
    Object.assign(
      (request: AnyRequest | undefined, opts?: RequestOptions) =>
        send(route, request ?? {}, options, opts?.signal),
      route.events && {
        events: (request: AnyRequest, opts?: RequestOptions) =>
          stream(route, request, options, opts?.signal),
      },
    );
  return Object.fromEntries(
    Object.entries(contract).map(([group, routes]) => [
      group,
      Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, call(route)])),
    ]),
  ) as Client<C>;
}

async function send(
  route: Route,
  request: AnyRequest,
  options: ClientOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const response = await sendRequest(route, request, options, signal);
  if (response.status === 204) return undefined;
  if (response.status === 303) return response.headers.get('location');
  const text = await response.text();
  return route.produces || route.downloads ? text : JSON.parse(text);
}

async function* stream(
  route: Route,
  request: AnyRequest,
  options: ClientOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator {
  const body = { ...(request.body as object), stream: true };
  yield* readEvents(await sendRequest(route, { ...request, body }, options, signal));
}

async function sendRequest(
  route: Route,
  request: AnyRequest,
  options: ClientOptions,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers?.() };
  const init: RequestInit = { method: route.method, headers, signal: signal ?? null };
  if (route.status === 303) init.redirect = 'manual';
  if (route.body) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(request.body);
  }
  const response = await (options.fetch ?? fetch)(urlOf(route, request, options.baseUrl), init);
  // A 202 that awaits approval is an error here, like a rejection.
  const waits = route.accepted !== undefined && response.status === 202;
  if (waits || (!response.ok && response.status !== route.status))
    throw errorFrom(response, await response.text());
  return response;
}

function urlOf(route: Route, request: AnyRequest, baseUrl: string): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const search = query.size > 0 ? `?${query}` : '';
  return `${baseUrl.replace(/\/+$/, '')}${path}${search}`;
}

interface Refused {
  error?: string | { code: string; message: string; details?: { retry_after?: number } };
  message: string;
  status?: string;
  retry_after?: number;
}

function errorFrom({ status, headers }: Response, text: string): ResponseError {
  const reason = (headers.get(REASON_HEADER) ?? undefined) as ErrorReason | undefined;
  try {
    const body = JSON.parse(text) as Refused;
    if (status === 202)
      return new ResponseError(status, 'waits for approval', {
        code: body.status,
        retryAfter: body.retry_after,
      });
    const { error = body.message } = body;
    if (typeof error === 'string') return new ResponseError(status, error, { reason });
    const { code, message, details } = error;
    return new ResponseError(status, message, { code, reason, retryAfter: details?.retry_after });
  } catch {
    return new ResponseError(status, `HTTP ${status}`, { reason });
  }
}
