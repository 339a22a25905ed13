import { createBoundedCopy } from './bounded-copy.ts';
import type { Reservation } from './copy-budget.ts';
import type { Headers, ObservedBody } from './exchange.ts';
import { costOf } from './headers.ts';

/** A request or an answer, as far as it has come. */
export interface BodyCopy {
  append: (bytes: Uint8Array) => void;
  end: (trailers: Headers) => void;
  isComplete: () => boolean;
  observed: () => ObservedBody;
}

export function createBodyCopy(head: Headers, hold: Reservation, maxBytes: number): BodyCopy {
  const copy = createBoundedCopy(hold, maxBytes);
  let headers: Headers = [];
  let areHeadersMissing = false;
  let isComplete = false;
  add(head);

  function add(more: Headers): void {
    if (more.length === 0) return;
    if (hold.take(costOf(more))) headers = headers.length === 0 ? more : [...headers, ...more];
    else areHeadersMissing = true;
  }

  return {
    append: copy.append,
    end(trailers) {
      isComplete = true;
      add(trailers);
    },
    isComplete: () => isComplete,
    observed: () => ({
      headers,
      beginning: copy.blocks(),
      bytes: copy.size(),
      truncated: copy.isTruncated() || areHeadersMissing,
      complete: isComplete,
    }),
  };
}
