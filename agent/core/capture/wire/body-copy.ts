import { createBoundedCopy } from './bounded-copy.ts';
import type { Hold } from './copy-budget.ts';
import type { Headers, ObservedBody } from './exchange.ts';
import { costOf } from './headers.ts';

/** A request or an answer, as far as it has come. */
export interface BodyCopy {
  append: (bytes: Uint8Array) => void;
  end: (trailers: Headers) => void;
  isComplete: () => boolean;
  observed: () => ObservedBody;
}

export function createBodyCopy(headers: Headers, hold: Hold, mostBytes: number): BodyCopy {
  const copy = createBoundedCopy(hold, mostBytes);
  let all = headers;
  let isComplete = false;
  let areTrailersMissing = false;
  return {
    append: copy.append,
    end(trailers) {
      isComplete = true;
      if (trailers.length === 0) return;
      if (hold.take(costOf(trailers))) all = [...headers, ...trailers];
      else areTrailersMissing = true;
    },
    isComplete: () => isComplete,
    observed: () => ({
      headers: all,
      beginning: copy.blocks(),
      bytes: copy.size(),
      truncated: copy.isTruncated() || areTrailersMissing,
      complete: isComplete,
    }),
  };
}
