import type { ConnectionObserver, ObserverOptions, ProtocolObserver } from './exchange.ts';
import { createPendingExchanges } from './pending-exchanges.ts';
import { createHttp1Observer } from './http1-observer.ts';
import { createHttp2Observer } from './http2-observer.ts';

/**
 * The observer for the protocol that ALPN chose. Without ALPN it is HTTP/1: over TLS, HTTP/2 is
 * spoken only where both sides chose it (RFC 9113, 3.2).
 */
export function createConnectionObserver(
  alpn: 'h2' | 'http/1.1' | null,
  options: ObserverOptions,
): ConnectionObserver {
  const exchanges = createPendingExchanges(options);
  const ended = { client: false, server: false };
  let protocol: ProtocolObserver | null =
    alpn === 'h2' ? createHttp2Observer(exchanges, options) : createHttp1Observer(exchanges);

  /** Whatever goes wrong here, the relay goes on. */
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
    ignoreErrors(exchanges.leaveAll);
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

/** The observer has given a reason for giving up; it cannot give up twice. */
function ignoreErrors(step: () => void): void {
  try {
    step();
  } catch {
    // A consumer that fails even now must not fail the relay.
  }
}
