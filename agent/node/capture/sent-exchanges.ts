import type { z } from 'zod';
import type { captureReport } from '#contract/captures.ts';

/** An exchange as sent over the wire: redacted, with its times as text. */
export type SentExchange = z.input<typeof captureReport>;

export interface SentExchanges {
  /** Adds exchanges that the control plane accepted. */
  add: (exchanges: readonly SentExchange[]) => void;
  /** Returns the exchanges, latest first. */
  list: () => readonly SentExchange[];
}

/** The limits: bodies are long and are kept in memory only. */
const MAX_EXCHANGES = 20;
const MAX_CHARACTERS = 2 * 1024 * 1024;

/**
 * Keeps the last uploaded exchanges, exactly as uploaded, for the user of the device. They are
 * never written to disk, and are lost when the process ends.
 */
export function createSentExchanges(): SentExchanges {
  let stored: SentExchange[] = [];
  return {
    add: (exchanges) => {
      const ids = new Set(exchanges.map(({ id }) => id));
      const latest = [...exchanges.toReversed(), ...stored.filter(({ id }) => !ids.has(id))];
      stored = limitExchanges(latest.slice(0, MAX_EXCHANGES));
    },
    list: () => stored,
  };
}

/** Returns as many exchanges as fit, at least one. */
function limitExchanges(exchanges: SentExchange[]): SentExchange[] {
  let characters = 0;
  return exchanges.filter(({ request_body, response_body }, index) => {
    characters += (request_body?.length ?? 0) + (response_body?.length ?? 0);
    return index === 0 || characters <= MAX_CHARACTERS;
  });
}
