interface Life {
  created_at: number;
  expires_at: number | null;
}

/** Expiry of a replacement key: it gets the same lifetime as the key it replaces. */
export const expiryOfSuccessor = ({ created_at, expires_at }: Life, now: number): number | null =>
  expires_at === null ? null : now + (expires_at - created_at);

/** Expiry of a replaced key: never later than its own expiry. */
export const endOfOverlap = ({ expires_at }: Life, now: number, overlapMs: number): number =>
  Math.min(expires_at ?? Infinity, now + overlapMs);
