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
  surrender: () => number;
  release: () => void;
}

export function createReservation(budget: CopyBudget): Reservation {
  let held = 0;
  let isReleased = false;
  const surrender = (): number => {
    const bytes = held;
    held = 0;
    return bytes;
  };
  return {
    take(bytes) {
      if (isReleased || !budget.take(bytes)) return false;
      held += bytes;
      return true;
    },
    adopt(other) {
      const bytes = other.surrender();
      if (isReleased) budget.give(bytes);
      else held += bytes;
    },
    surrender,
    release() {
      isReleased = true;
      budget.give(surrender());
    },
  };
}
