import { type BodyCopy, createBodyCopy } from './body-copy.ts';
import { createReservation, type Reservation } from './copy-budget.ts';
import type { Headers, ObservedExchange, ObserverOptions } from './exchange.ts';
import { costOf } from './headers.ts';
import { createWebSocketMessages, type WebSocketMessages } from './websocket-messages.ts';

export type RequestHead = Pick<ObservedExchange, 'protocol' | 'method' | 'target' | 'authority'>;

export interface PendingExchange {
  readonly id: number;
  readonly head: RequestHead;
  readonly startedAt: number;
  readonly request: BodyCopy;
  hold: Reservation;
  status: number | null;
  response: BodyCopy | null;
  webSocket: WebSocketMessages | null;
}

/** The unfinished exchanges of one connection. */
export interface PendingExchanges {
  /** Begins an exchange. Returns null if it is not observed because the budget is exhausted. */
  begin: (head: RequestHead, headers: Headers, id?: number) => PendingExchange | null;
  beginResponse: (exchange: PendingExchange, status: number, headers: Headers) => BodyCopy;
  /** Turns an exchange into a WebSocket, whose bytes go to the result. */
  upgrade: (exchange: PendingExchange) => WebSocketMessages;
  /** Delivers an exchange that has ended. */
  finish: (exchange: PendingExchange) => void;
  /** Delivers all exchanges: the connection has ended. */
  finishAll: () => void;
  /** Delivers all exchanges without an end: observation stops. */
  deliverUnfinished: () => void;
  /** Releases everything and delivers nothing more. */
  drop: () => void;
}

/** The memory of an exchange's objects without their content. */
const OVERHEAD = 2048;

export function createPendingExchanges(options: ObserverOptions): PendingExchanges {
  const { budget, maxBodyBytes, maxRequestBytes = maxBodyBytes, now } = options;
  const unfinished = new Set<PendingExchange>();
  let count = 0;
  let isDropped = false;

  function begin(head: RequestHead, headers: Headers, id = count++): PendingExchange | null {
    if (isDropped) return null;
    const hold = createReservation(budget);
    if (!hold.take(costOfHead(head))) {
      options.onExcluded('memory');
      return null;
    }
    const exchange: PendingExchange = {
      id,
      head,
      startedAt: now(),
      request: createBodyCopy(headers, hold, maxRequestBytes),
      hold,
      status: null,
      response: null,
      webSocket: null,
    };
    unfinished.add(exchange);
    return exchange;
  }

  function beginResponse(exchange: PendingExchange, status: number, headers: Headers): BodyCopy {
    exchange.status = status;
    exchange.response = createBodyCopy(headers, exchange.hold, maxBodyBytes);
    return exchange.response;
  }

  function upgrade(exchange: PendingExchange): WebSocketMessages {
    exchange.webSocket = createWebSocketMessages({
      now,
      maxBodyBytes,
      budget,
      hold: () => exchange.hold,
      onFull: () => endPiece(exchange),
      onNoMemory: () => leaveRest(exchange),
      onClosed: () => finish(exchange),
    });
    return exchange.webSocket;
  }

  /** Each piece has its own reservation, because the consumer releases pieces separately. */
  function endPiece(exchange: PendingExchange): void {
    const next = createReservation(budget);
    if (!next.take(costOfPiece(exchange))) return leaveRest(exchange);
    const piece = observedOf(exchange, { endedAt: null, aborted: false, last: false });
    exchange.hold = next;
    deliver(piece);
  }

  function leaveRest(exchange: PendingExchange): void {
    deliverUnfinishedExchange(exchange);
    options.onExcluded('memory');
  }

  function deliverUnfinishedExchange(exchange: PendingExchange): void {
    if (!unfinished.delete(exchange)) return;
    deliver(observedOf(exchange, { endedAt: null, aborted: false, last: true }));
  }

  function finish(exchange: PendingExchange): void {
    if (!unfinished.delete(exchange)) return;
    const aborted = !isComplete(exchange);
    deliver(observedOf(exchange, { endedAt: now(), aborted, last: true }));
  }

  function deliver(exchange: ObservedExchange): void {
    try {
      options.onExchange(exchange);
    } catch (error) {
      exchange.release();
      throw error;
    }
  }

  return {
    begin,
    beginResponse,
    upgrade,
    finish,
    finishAll: () => unfinished.forEach(finish),
    deliverUnfinished: () => unfinished.forEach(deliverUnfinishedExchange),
    drop() {
      isDropped = true;
      for (const exchange of unfinished) {
        exchange.webSocket?.drop();
        exchange.hold.release();
      }
      unfinished.clear();
    },
  };
}

function costOfHead({ target, authority }: RequestHead): number {
  return OVERHEAD + target.length + (authority?.length ?? 0);
}

/** Returns the memory of the parts that all pieces of a WebSocket share. */
function costOfPiece({ head, request, response }: PendingExchange): number {
  const headers = [...request.observed().headers, ...(response?.observed().headers ?? [])];
  return costOfHead(head) + costOf(headers);
}

/** The heads of a WebSocket are complete from the start; it ends when both sides have closed. */
function isComplete({ request, response, webSocket }: PendingExchange): boolean {
  if (webSocket) return webSocket.isClosed();
  return request.isComplete() && response?.isComplete() === true;
}

interface Ending {
  endedAt: number | null;
  aborted: boolean;
  last: boolean;
}

function observedOf(exchange: PendingExchange, ending: Ending): ObservedExchange {
  const { head, hold } = exchange;
  const { endedAt, aborted, last } = ending;
  return {
    id: exchange.id,
    protocol: exchange.webSocket ? 'websocket' : head.protocol,
    method: head.method,
    target: head.target,
    authority: head.authority,
    startedAt: exchange.startedAt,
    endedAt,
    request: exchange.request.observed(),
    status: exchange.status,
    response: exchange.response?.observed() ?? null,
    aborted,
    webSocket: exchange.webSocket?.takePiece(last) ?? null,
    release: () => hold.release(),
  };
}
