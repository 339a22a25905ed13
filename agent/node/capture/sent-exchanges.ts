import type { z } from 'zod';
import type { captureReport } from '#contract/captures.ts';

/** An exchange as it went over the wire: redacted, with its times as text. */
export type SentExchange = z.input<typeof captureReport>;

export interface SentExchanges {
  /** The control plane took these. */
  add: (exchanges: readonly SentExchange[]) => void;
  /** Latest first. */
  list: () => readonly SentExchange[];
}

/** Bodies are long, and they are kept in memory alone. */
const MOST = 20;
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * The last exchanges that were uploaded, exactly as they were, for the person whose they are. Never on
 * disk, and gone with the process.
 */
export function createSentExchanges(): SentExchanges {
  let kept: SentExchange[] = [];
  return {
    add: (exchanges) => {
      const ids = new Set(exchanges.map(({ id }) => id));
      const latest = [...exchanges.toReversed(), ...kept.filter(({ id }) => !ids.has(id))];
      kept = withinBounds(latest.slice(0, MOST));
    },
    list: () => kept,
  };
}

/** The first of them, as many as fit; one always does. */
function withinBounds(exchanges: SentExchange[]): SentExchange[] {
  let characters = 0;
  return exchanges.filter(({ request_body, response_body }, index) => {
    characters += (request_body?.length ?? 0) + (response_body?.length ?? 0);
    return index === 0 || characters <= MOST_CHARACTERS;
  });
}
