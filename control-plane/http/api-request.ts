import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '#contract/errors.ts';
import type { Route, RouteInput } from '#contract/route.ts';
import type { Caller, CallerOf } from './caller.ts';
import { clientAddress } from './client-address.ts';
import { refusalOf } from './errors.ts';
import type { HttpContext } from './http-context.ts';

/** Request headers that handlers may read. */
export type HeaderName = 'authorization' | 'cookie' | 'host' | 'if-none-match' | 'user-agent';

/** A validated request of an authenticated caller. */
export interface ApiRequest<R extends Route> extends RouteInput<R> {
  caller: CallerOf<R>;
  /** The absolute URL that clients use. */
  url: URL;
  /** The client's network address. */
  address: string;
  header: (name: HeaderName) => string | undefined;
  setHeader: (name: string, value: string | readonly string[]) => void;
  /** Aborted when the client disconnects before it has received the response. */
  disconnectSignal: () => AbortSignal;
  /** Returns the part of an error that clients may see. The rest is logged. */
  refusalOf: (error: unknown) => ApiError;
}

/** The validated parts of a request. */
export type Input = Record<keyof RouteInput<Route>, unknown>;

/**
 * The request that a handler receives. Its accessors belong to a class: an object literal with
 * accessors would get its own hidden class for each request, and V8 would retain that, with
 * everything the accessors close over, until the next major garbage collection.
 */
export class ServedRequest {
  readonly caller: Caller | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly #context: HttpContext;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(
    context: HttpContext,
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
    { params, query, body }: Input,
  ) {
    this.caller = caller;
    this.params = params;
    this.query = query;
    this.body = body;
    this.#context = context;
    this.#request = request;
    this.#response = response;
  }

  get url(): URL {
    return new URL(this.#request.url ?? '/', this.#context.urls.public);
  }

  get address(): string {
    return clientAddress(this.#request, this.#context.config.trustedProxies);
  }

  get refusalOf(): (error: unknown) => ApiError {
    return (error) => refusalOf(this.#context, error, this.#request, this.#response);
  }

  readonly header = (name: HeaderName) => this.#request.headers[name];
  readonly setHeader = (name: string, value: string | readonly string[]) =>
    void this.#response.setHeader(name, value);
  readonly disconnectSignal = () => abortOnClose(this.#response);
}

function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
