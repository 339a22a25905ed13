import type { CopyBudget } from './exchange.ts';

export interface CountedBudget extends CopyBudget {
  /** The number of bytes taken now. */
  held: () => number;
}

export function createCopyBudget(maxBytes: number): CountedBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > maxBytes) return false;
      held += bytes;
      return true;
    },
    give: (bytes) => void (held -= bytes),
    held: () => held,
  };
}

/** A budget that calls back whenever it is exhausted. */
export const withNotice = (budget: CopyBudget, onExhausted: () => void): CopyBudget => ({
  ...budget,
  take: (bytes) => {
    const isTaken = budget.take(bytes);
    if (!isTaken) onExhausted();
    return isTaken;
  },
});

/** The share that one owner has taken from the budget. */
export interface Reservation {
  /** False after `release`. */
  take: (bytes: number) => boolean;
  /** Takes over the bytes of another reservation. */
  adopt: (other: Reservation) => void;
  /**
   * Empties this reservation without returning its bytes to the budget, and returns their number:
   * another owner takes them over.
   */
  transfer: () => number;
  release: () => void;
}

export const createReservation = (budget: CopyBudget): Reservation => new HeldBytes(budget);

/** A class rather than closures, to save memory like `BlockCopy`: each exchange has one. */
class HeldBytes implements Reservation {
  readonly #budget: CopyBudget;
  #held = 0;
  #isReleased = false;

  constructor(budget: CopyBudget) {
    this.#budget = budget;
  }

  take(bytes: number): boolean {
    if (this.#isReleased || !this.#budget.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  adopt(other: Reservation): void {
    const bytes = other.transfer();
    if (this.#isReleased) this.#budget.give(bytes);
    else this.#held += bytes;
  }

  transfer(): number {
    const bytes = this.#held;
    this.#held = 0;
    return bytes;
  }

  release(): void {
    this.#isReleased = true;
    this.#budget.give(this.transfer());
  }
}
