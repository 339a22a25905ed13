/** In the order they were sent; names in lower case, without the pseudo headers of HTTP/2. */
export type Headers = readonly (readonly [name: string, value: string])[];

export interface ObservedBody {
  /** Trailers come last, once the end was seen. */
  headers: Headers;
  /** The beginning of the body as sent: content-encoding still on, chunked framing taken off. */
  beginning: Uint8Array[];
  /** All bytes of the body, kept or not. */
  bytes: number;
  /** Bytes are missing from `beginning`; or there was no memory left for headers or trailers. */
  truncated: boolean;
  /** Its end was seen. Of a body that ends with the connection: the connection has ended. */
  complete: boolean;
}

/** One message of a WebSocket, unmasked and joined from its fragments. */
export interface ObservedMessage {
  from: 'client' | 'server';
  opcode: 'text' | 'binary';
  /** The RSV1 bit: `bytes` are still deflated (RFC 7692). */
  compressed: boolean;
  /** The message, or its beginning if `truncated`: then nothing inflates past it (RFC 7692, 7.2.3). */
  bytes: Uint8Array;
  /** All bytes of its payload, kept or not. */
  size: number;
  truncated: boolean;
  /** When its last byte was seen. */
  at: number;
}

/**
 * A WebSocket may stay open for days, so it is handed out in pieces: exchanges with the same id
 * and heads. All but the last have `endedAt: null`.
 */
export interface WebSocketPart {
  /** Counts from 0. */
  piece: number;
  /** Nothing more of this WebSocket comes. */
  last: boolean;
  messages: ObservedMessage[];
}

export interface ObservedExchange {
  /** The number of its stream in HTTP/2; otherwise counts per connection. */
  id: number;
  protocol: 'http/1.0' | 'http/1.1' | 'h2' | 'websocket';
  method: string;
  target: string;
  /** `Host` or `:authority`. */
  authority: string | null;
  startedAt: number;
  /** Null if its end was not seen: the observer gave up before, or more pieces come. */
  endedAt: number | null;
  request: ObservedBody;
  status: number | null;
  /** Null: no answer came. */
  response: ObservedBody | null;
  /** It ended (with a reset or with the connection) before request and answer were complete. */
  aborted: boolean;
  /** Only of a WebSocket. */
  webSocket: WebSocketPart | null;
  /** Gives the memory of its copies back to the budget. Has to be called, once or more often. */
  release: () => void;
}

/** Memory for copies, shared by all connections of the process. */
export interface CopyBudget {
  /** False, and nothing is taken, if there is not as much left. */
  take: (bytes: number) => boolean;
  give: (bytes: number) => void;
}

export interface ObserverOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  /** How much is kept of one body, or of one message of a WebSocket. */
  maxBodyBytes: number;
  budget: CopyBudget;
  /** An exchange is over, or a piece of a WebSocket is full. The consumer calls its `release`. */
  onExchange: (exchange: ObservedExchange) => void;
  /** An exchange is left out, or the rest of a WebSocket, because too much is under way. */
  onExcluded: (reason: 'memory' | 'streams') => void;
  /** From now on nothing of this connection is observed. */
  onGivenUp: (reason: string) => void;
}

/**
 * Watches one connection. Nothing here throws or keeps a chunk: what it is given may be reused as
 * soon as the call returns.
 */
export interface ConnectionObserver {
  fromClient: (chunk: Uint8Array) => void;
  fromServer: (chunk: Uint8Array) => void;
  /** A side has ended, with FIN or reset. After both, what is under way is handed out. */
  clientEnded: () => void;
  serverEnded: () => void;
  /** Drops all copies at once and hands out nothing more. */
  stopCopying: () => void;
}

/** What the observer of one protocol does; it throws an `Error` at what it does not understand. */
export interface ProtocolObserver {
  fromClient: (chunk: Uint8Array) => void;
  fromServer: (chunk: Uint8Array) => void;
  serverEnded: () => void;
}
