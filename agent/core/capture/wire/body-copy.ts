import { type BoundedCopy, createBoundedCopy } from './bounded-copy.ts';
import type { Reservation } from './copy-budget.ts';
import type { Headers, ObservedBody } from './exchange.ts';
import { costOf } from './headers.ts';

/** A request or response body received so far. */
export interface BodyCopy {
  append: (bytes: Uint8Array) => void;
  end: (trailers: Headers) => void;
  isComplete: () => boolean;
  observed: () => ObservedBody;
}

export const createBodyCopy = (head: Headers, hold: Reservation, maxBytes: number): BodyCopy =>
  new HeldBodyCopy(head, hold, maxBytes);

/** A class rather than closures, to save memory like `BlockCopy`. */
class HeldBodyCopy implements BodyCopy {
  readonly #hold: Reservation;
  readonly #copy: BoundedCopy;
  #headers: Headers = [];
  #areHeadersMissing = false;
  #isComplete = false;

  constructor(head: Headers, hold: Reservation, maxBytes: number) {
    this.#hold = hold;
    this.#copy = createBoundedCopy(hold, maxBytes);
    this.#add(head);
  }

  append(bytes: Uint8Array): void {
    this.#copy.append(bytes);
  }

  end(trailers: Headers): void {
    this.#isComplete = true;
    // Trailers must not describe the content (RFC 9110, 6.5.1), and receivers ignore it if they do.
    this.#add(trailers.filter(([name]) => !name.startsWith('content-')));
  }

  isComplete(): boolean {
    return this.#isComplete;
  }

  observed(): ObservedBody {
    return {
      headers: this.#headers,
      beginning: this.#copy.blocks(),
      bytes: this.#copy.size(),
      truncated: this.#copy.isTruncated() || this.#areHeadersMissing,
      complete: this.#isComplete,
    };
  }

  #add(more: Headers): void {
    if (more.length === 0) return;
    if (this.#hold.take(costOf(more)))
      this.#headers = this.#headers.length === 0 ? more : [...this.#headers, ...more];
    else this.#areHeadersMissing = true;
  }
}
