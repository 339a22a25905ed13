import { type CountedBudget, createCopyBudget } from '../copy-budget.ts';
import { createConnectionObserver } from '../connection-observer.ts';
import type {
  ConnectionObserver,
  ObservedBody,
  ObservedExchange,
  ObserverOptions,
} from '../exchange.ts';
import { latin1 } from '../latin1.ts';

export interface Recorder {
  observer: ConnectionObserver;
  exchanges: ObservedExchange[];
  givenUp: string[];
  excluded: string[];
  budget: CountedBudget;
}

/** Creates an observer that records its findings, with a fixed clock. */
export function record(
  alpn: 'h2' | 'http/1.1' | null,
  { most = 2 ** 30, ...options }: Partial<ObserverOptions> & { most?: number } = {},
): Recorder {
  const found = {
    exchanges: [] as ObservedExchange[],
    givenUp: [] as string[],
    excluded: [] as string[],
    budget: createCopyBudget(most),
  };
  const observer = createConnectionObserver(alpn, {
    now: () => 1000,
    maxBodyBytes: 1_000_000,
    budget: found.budget,
    onExchange: (exchange) => found.exchanges.push(exchange),
    onExcluded: (reason) => found.excluded.push(reason),
    onGivenUp: (reason) => found.givenUp.push(reason),
    ...options,
  });
  return { observer, ...found };
}

/**
 * Returns the comparable parts of an exchange: text instead of blocks, whose sizes depend on
 * chunks.
 */
export function plain(exchange: ObservedExchange) {
  const { request, response, webSocket, release: _, ...head } = exchange;
  return {
    ...head,
    request: plainBody(request),
    response: response && plainBody(response),
    webSocket: webSocket && {
      ...webSocket,
      messages: webSocket.messages.map((message) => ({ ...message, bytes: textOf(message.bytes) })),
    },
  };
}

function plainBody({ beginning, ...body }: ObservedBody) {
  return { ...body, text: beginning.map(textOf).join('') };
}

export function textOf(bytes: Uint8Array): string {
  return latin1(bytes, 0, bytes.length);
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
