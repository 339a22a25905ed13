/** The headers in the order sent; names in lower case, without the pseudo headers of HTTP/2. */
export type Headers = readonly (readonly [name: string, value: string])[];

export interface ObservedBody {
  /** The headers, followed by the trailers once the end was received. */
  headers: Headers;
  /** The first bytes of the body, with content codings but without chunked framing. */
  beginning: Uint8Array[];
  /** All bytes of the body, copied or not. */
  bytes: number;
  /** Whether `beginning` is incomplete, or headers or trailers did not fit into memory. */
  truncated: boolean;
  /** Whether the end was received. A body without a length ends with the connection. */
  complete: boolean;
}

/** A WebSocket message, unmasked and defragmented. */
export interface ObservedMessage {
  from: 'client' | 'server';
  opcode: 'text' | 'binary';
  /** The RSV1 bit: `bytes` are still deflated (RFC 7692). */
  compressed: boolean;
  /**
   * The message, or its start if `truncated`; then later messages cannot be inflated (RFC 7692,
   * 7.2.3).
   */
  bytes: Uint8Array;
  /** All bytes of its payload, copied or not. */
  size: number;
  truncated: boolean;
  /** The time when its last byte was received. */
  at: number;
}

/**
 * A WebSocket may stay open for days, so it is delivered in pieces: exchanges with the same id and
 * heads. All but the last have `endedAt: null`.
 */
export interface WebSocketPart {
  /** Counts from 0. */
  piece: number;
  /** The last piece of this WebSocket. */
  last: boolean;
  messages: ObservedMessage[];
}

export interface ObservedExchange {
  /** The stream id in HTTP/2; otherwise a counter per connection. */
  id: number;
  protocol: 'http/1.0' | 'http/1.1' | 'h2' | 'websocket';
  method: string;
  target: string;
  /** `Host` or `:authority`. */
  authority: string | null;
  startedAt: number;
  /**
   * The end in ms; null if it was not observed, because the observer gave up or more pieces follow.
   */
  endedAt: number | null;
  request: ObservedBody;
  status: number | null;
  /** Null: no response. */
  response: ObservedBody | null;
  /**
   * Whether it ended, by a reset or with the connection, before request and response were complete.
   */
  aborted: boolean;
  /** Set only for a WebSocket. */
  webSocket: WebSocketPart | null;
  /** Returns the memory of its copies to the budget. Must be called at least once. */
  release: () => void;
}

/** Memory for copies, shared by all connections of the process. */
export interface CopyBudget {
  /** Takes bytes, or returns false and takes none if fewer are left. */
  take: (bytes: number) => boolean;
  give: (bytes: number) => void;
}

export interface ObserverOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  /** The copied length of one body or one WebSocket message. */
  maxBodyBytes: number;
  /** That of a request body, if it differs. */
  maxRequestBytes?: number;
  budget: CopyBudget;
  /**
   * An exchange has ended, or a piece of a WebSocket is full. The consumer must call its `release`.
   */
  onExchange: (exchange: ObservedExchange) => void;
  /** An exchange, or the rest of a WebSocket, is not observed because a limit is reached. */
  onExcluded: (reason: 'memory' | 'streams') => void;
  /** The rest of this connection is not observed. */
  onGivenUp: (reason: string) => void;
}

/**
 * Observes one connection. Its functions do not throw and do not keep chunks, so a caller may reuse
 * a chunk as soon as the call returns.
 */
export interface ConnectionObserver {
  fromClient: (chunk: Uint8Array) => void;
  fromServer: (chunk: Uint8Array) => void;
  /** A side has ended, with FIN or reset. After both, unfinished exchanges are delivered. */
  clientEnded: () => void;
  serverEnded: () => void;
  /** Discards all copies and delivers nothing more. */
  stopCopying: () => void;
}

/** The observer of one protocol. Throws an `Error` for invalid data. */
export interface ProtocolObserver {
  fromClient: (chunk: Uint8Array) => void;
  fromServer: (chunk: Uint8Array) => void;
  serverEnded: () => void;
}
