/** Bounds how fast messages may come: so many at once, and so many a second for as long as wanted. */
export interface MessageRate {
  /** Is one more within the bounds? */
  take: (now: number) => boolean;
}

export function createMessageRate(atOnce: number, perSecond: number): MessageRate {
  let left = atOnce;
  let filledAt = -Infinity;
  return {
    take(now) {
      const seconds = Math.max(0, now - filledAt) / 1000;
      left = Math.min(atOnce, left + seconds * perSecond);
      filledAt = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
