import type { Headers } from '../wire/exchange.ts';
import type { Http1Version, RequestLine } from '../wire/http1-head.ts';

export interface RequestHead extends Omit<RequestLine, 'version'> {
  version: Http1Version | 'h2';
  /** Over HTTP/2 without pseudo headers, and with the authority as `host`. */
  headers: Headers;
}

/** A request of which nothing has gone on to the server. */
export interface HeldRequest extends RequestHead {
  /** As in `ObservedExchange`. */
  id: number;
  /** Without chunked framing. */
  body: Uint8Array[];
  /** The body goes on behind that. */
  truncated: boolean;
}
