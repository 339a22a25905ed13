import type { ConnectionObserver, ObserverOptions, ProtocolObserver } from './exchange.ts';
import { createPendingExchanges } from './pending-exchanges.ts';
import { createHttp1Observer } from './http1-observer.ts';
import { createHttp2Observer } from './http2-observer.ts';

/**
 * The observer for the protocol negotiated by ALPN. Without ALPN it is HTTP/1, because HTTP/2 over
 * TLS requires ALPN (RFC 9113, 3.2).
 */
export function createConnectionObserver(
  alpn: 'h2' | 'http/1.1' | null,
  options: ObserverOptions,
): ConnectionObserver {
  const exchanges = createPendingExchanges(options);
  const ended = { client: false, server: false };
  let protocol: ProtocolObserver | null =
    alpn === 'h2' ? createHttp2Observer(exchanges, options) : createHttp1Observer(exchanges);

  /** Errors of the observer must not affect the relay. */
  function guarded(step: (observer: ProtocolObserver) => void): void {
    if (!protocol) return;
    try {
      step(protocol);
    } catch (error) {
      if (protocol) giveUp(error);
    }
  }

  function giveUp(error: unknown): void {
    protocol = null;
    ignoreErrors(exchanges.deliverUnfinished);
    ignoreErrors(() => options.onGivenUp(error instanceof Error ? error.message : String(error)));
    exchanges.drop();
  }

  function end(side: keyof typeof ended): void {
    if (ended[side]) return;
    ended[side] = true;
    if (side === 'server') guarded((observer) => observer.serverEnded());
    if (!ended.client || !ended.server) return;
    guarded(exchanges.finishAll);
    protocol = null;
    exchanges.drop();
  }

  return {
    fromClient: (chunk) => guarded((observer) => observer.fromClient(chunk)),
    fromServer: (chunk) => guarded((observer) => observer.fromServer(chunk)),
    clientEnded: () => end('client'),
    serverEnded: () => end('server'),
    stopCopying() {
      protocol = null;
      exchanges.drop();
    },
  };
}

/** The observer has already reported that it gave up. */
function ignoreErrors(step: () => void): void {
  try {
    step();
  } catch {
    // Even then, an error of the consumer must not affect the relay.
  }
}
