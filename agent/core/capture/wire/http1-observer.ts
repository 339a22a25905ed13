import type { Headers, ProtocolObserver } from './exchange.ts';
import type { PendingExchanges, PendingExchange } from './pending-exchanges.ts';
import { hostsOfRequest, listOf, valuesOf } from './headers.ts';
import { type Framing, requestFraming, responseFraming } from './http1-framing.ts';
import {
  createStartLineParser,
  parseRequestLine,
  parseStatusLine,
  type RequestLine,
} from './http1-head.ts';
import { createHttp1Parser } from './http1-parser.ts';
import type { WebSocketMessages } from './websocket-messages.ts';

const MAX_PIPELINED = 1000;

interface PendingRequest {
  method: string;
  /** The exchange; null if it is not observed. Its response still has to be read. */
  exchange: PendingExchange | null;
}

/** Pairs the requests of an HTTP/1 connection with their responses, which have the same order. */
export function createHttp1Observer(exchanges: PendingExchanges): ProtocolObserver {
  const unanswered: PendingRequest[] = [];
  let sending: PendingExchange | null = null; // its request is incomplete
  let webSocket: WebSocketMessages | undefined;
  let isOpaque = false;
  const requestLineOf = createStartLineParser(parseRequestLine);
  const statusLineOf = createStartLineParser(parseStatusLine);
  let requestLine: RequestLine = {
    method: '',
    target: '',
    authority: null,
    version: 'http/1.1',
  };
  let statusLine = { status: 0, version: requestLine.version };

  const requests = createHttp1Parser({
    startLine: (line) => void (requestLine = requestLineOf(line)),
    head: beginRequest,
    data: (bytes) => sending?.request.append(bytes),
    end(trailers) {
      const exchange = sending;
      sending = null;
      exchange?.request.end(trailers);
      finishIfComplete(exchange);
    },
  });
  const responses = createHttp1Parser({
    startLine: (line) => void (statusLine = statusLineOf(line)),
    head: beginResponse,
    data: (bytes) => unanswered[0]?.exchange?.response?.append(bytes),
    end(trailers) {
      const exchange = unanswered.shift()?.exchange;
      exchange?.response?.end(trailers);
      finishIfComplete(exchange);
    },
  });

  function beginRequest(headers: Headers): Framing {
    const { method, target, authority: ofTarget, version } = requestLine;
    const framing = requestFraming(version, headers);
    if (unanswered.length >= MAX_PIPELINED) throw new Error('too many requests without an answer');
    const isAmbiguous = hostsOfRequest(ofTarget, headers).length > 1;
    const named = valuesOf(headers, 'host').find((host) => host !== '');
    const authority = isAmbiguous ? '' : (named ?? ofTarget);
    sending = exchanges.begin({ protocol: version, method, target, authority }, headers);
    unanswered.push({ method, exchange: sending });
    return framing;
  }

  function beginResponse(headers: Headers): Framing {
    const [request] = unanswered;
    if (!request) throw new Error('an answer without a request');
    const { method, exchange } = request;
    const framing = responseFraming(method, statusLine, headers);
    if (exchange && framing.kind !== 'interim')
      exchanges.beginResponse(exchange, statusLine.status, headers);

    if (framing.kind === 'switch') switchProtocol(exchange, headers);
    return framing;
  }

  /** The rest is a WebSocket, or ignored: a tunnel or an unknown protocol. */
  function switchProtocol(exchange: PendingExchange | null, headers: Headers): void {
    exchange?.response?.end([]);
    const isWebSocket =
      statusLine.status === 101 && listOf(headers, 'upgrade').includes('websocket');
    if (exchange && isWebSocket) {
      const isAlone = unanswered.length === 1 && requests.isIdle();
      if (!isAlone) throw new Error('requests behind an upgrade');
      webSocket = exchanges.upgrade(exchange);
    } else {
      isOpaque = true;
      if (exchange) exchanges.finish(exchange);
    }
  }

  function finishIfComplete(exchange: PendingExchange | null | undefined): void {
    const isComplete = exchange?.request.isComplete() && exchange.response?.isComplete();
    if (exchange && isComplete) exchanges.finish(exchange);
  }

  return {
    fromClient(chunk) {
      if (webSocket) webSocket.fromClient(chunk);
      else if (!isOpaque) requests.read(chunk);
    },
    fromServer(chunk) {
      if (isOpaque) return;
      const read = webSocket ? 0 : responses.read(chunk);
      webSocket?.fromServer(chunk.subarray(read));
    },
    serverEnded: responses.ended,
  };
}
