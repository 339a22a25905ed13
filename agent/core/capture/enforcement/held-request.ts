import type { Headers } from '../wire/exchange.ts';
import type { Http1Version, RequestLine } from '../wire/http1-head.ts';

export interface RequestHead extends Omit<RequestLine, 'version'> {
  version: Http1Version | 'h2';
  /** The headers; for HTTP/2 without pseudo headers. */
  headers: Headers;
}

/** A held request: no part of it was sent to the server. */
export interface HeldRequest extends RequestHead {
  /** The id of its `ObservedExchange`. */
  id: number;
  /** The body without chunked framing. */
  body: Uint8Array[];
  /** Whether the body is longer than `body`. */
  truncated: boolean;
}
