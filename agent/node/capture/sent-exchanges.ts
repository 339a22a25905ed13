import type { z } from 'zod';
import type { captureReport } from '#contract/captures.ts';

/** An exchange as it went over the wire: redacted, with its times as text. */
export type SentExchange = z.input<typeof captureReport>;

export interface SentExchanges {
  /** The control plane accepted these. */
  add: (exchanges: readonly SentExchange[]) => void;
  /** Latest first. */
  list: () => readonly SentExchange[];
}

/** Bodies are long and are kept in memory only. */
const MAX_EXCHANGES = 20;
const MAX_CHARACTERS = 2 * 1024 * 1024;

/**
 * The last uploaded exchanges, exactly as uploaded, for the user of the device. Never on
 * disk, and gone with the process.
 */
export function createSentExchanges(): SentExchanges {
  let stored: SentExchange[] = [];
  return {
    add: (exchanges) => {
      const ids = new Set(exchanges.map(({ id }) => id));
      const latest = [...exchanges.toReversed(), ...stored.filter(({ id }) => !ids.has(id))];
      stored = withinBounds(latest.slice(0, MAX_EXCHANGES));
    },
    list: () => stored,
  };
}

/** As many as fit, at least one. */
function withinBounds(exchanges: SentExchange[]): SentExchange[] {
  let characters = 0;
  return exchanges.filter(({ request_body, response_body }, index) => {
    characters += (request_body?.length ?? 0) + (response_body?.length ?? 0);
    return index === 0 || characters <= MAX_CHARACTERS;
  });
}
