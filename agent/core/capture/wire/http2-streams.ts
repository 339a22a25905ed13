import type { BodyCopy } from './body-copy.ts';
import type { Headers, ObserverOptions } from './exchange.ts';
import type { PendingExchanges, PendingExchange } from './pending-exchanges.ts';
import {
  isWebSocketRequest,
  requestHead,
  requestHeaders,
  statusOf,
  withoutPseudo,
} from './http2-head.ts';
import type { WebSocketMessages } from './websocket-messages.ts';

export type Side = 'client' | 'server';

/**
 * The requests and responses of one HTTP/2 connection. Ended and unobserved streams are ignored.
 */
export interface Http2Streams {
  headers: (side: Side, streamId: number, block: Headers, isEnd: boolean) => void;
  data: (side: Side, streamId: number, bytes: Uint8Array) => void;
  end: (side: Side, streamId: number) => void;
  reset: (streamId: number) => void;
  /** The server will not answer streams after this one. */
  goAway: (lastStreamId: number) => void;
}

interface Stream {
  readonly id: number;
  readonly exchange: PendingExchange;
  readonly isForWebSocket: boolean;
  readonly hasEnded: Record<Side, boolean>;
  webSocket: WebSocketMessages | null;
}

const MAX_STREAMS = 1000;

export function createHttp2Streams(
  exchanges: PendingExchanges,
  onExcluded: ObserverOptions['onExcluded'],
): Http2Streams {
  const streams = new Map<number, Stream>();
  let latest = 0;

  function headers(side: Side, id: number, block: Headers, isEnd: boolean): void {
    const stream = streams.get(id);
    if (side === 'client' && id > latest) open(id, block, isEnd);
    else if (!stream) return;
    else if (side === 'server' && !stream.exchange.response) beginResponse(stream, block, isEnd);
    else if (isEnd) end(stream, side, withoutPseudo(block));
    else throw new Error('trailers that are not the end');
  }

  function open(id: number, block: Headers, isEnd: boolean): void {
    if (id % 2 === 0) throw new Error('a request on a stream of the server');
    latest = id;
    const head = requestHead(block);
    if (streams.size >= MAX_STREAMS) return onExcluded('streams');
    const exchange = exchanges.begin(head, requestHeaders(block), id);
    if (!exchange) return;
    const stream: Stream = {
      id,
      exchange,
      isForWebSocket: isWebSocketRequest(block),
      hasEnded: { client: false, server: false },
      webSocket: null,
    };
    streams.set(id, stream);
    if (isEnd) end(stream, 'client', []);
  }

  function beginResponse(stream: Stream, block: Headers, isEnd: boolean): void {
    const status = statusOf(block);
    const isInterim = status < 200;
    if (isInterim && isEnd) throw new Error('an interim answer at the end');
    if (isInterim) return;
    const { exchange } = stream;
    const response = exchanges.beginResponse(exchange, status, withoutPseudo(block));
    if (stream.isForWebSocket && status < 300) {
      exchange.request.end([]);
      response.end([]);
      stream.webSocket = exchanges.upgrade(exchange);
    }
    if (isEnd) end(stream, 'server', []);
  }

  function data(side: Side, id: number, bytes: Uint8Array): void {
    const stream = streams.get(id);
    if (!stream) return;
    if (!stream.webSocket) bodyOf(stream, side).append(bytes);
    else if (side === 'client') stream.webSocket.fromClient(bytes);
    else stream.webSocket.fromServer(bytes);
  }

  function end(stream: Stream, side: Side, trailers: Headers): void {
    const body = bodyOf(stream, side);
    if (!stream.webSocket) body.end(trailers);
    stream.hasEnded[side] = true;
    if (stream.hasEnded.client && stream.hasEnded.server) close(stream);
  }

  function close(stream: Stream): void {
    streams.delete(stream.id);
    exchanges.finish(stream.exchange);
  }

  return {
    headers,
    data,
    end(side, id) {
      const stream = streams.get(id);
      if (stream) end(stream, side, []);
    },
    reset(id) {
      const stream = streams.get(id);
      if (stream) close(stream);
    },
    goAway(lastStreamId) {
      for (const stream of streams.values()) if (stream.id > lastStreamId) close(stream);
    },
  };
}

function bodyOf({ exchange, hasEnded }: Stream, side: Side): BodyCopy {
  if (hasEnded[side]) throw new Error('a frame behind the end of its stream');
  const body = side === 'client' ? exchange.request : exchange.response;
  if (!body) throw new Error('an answer without a head');
  return body;
}
