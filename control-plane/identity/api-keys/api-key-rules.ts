interface Life {
  created_at: number;
  expires_at: number | null;
}

/** Returns when a replacement key expires. It has the same lifetime as the key that it replaces. */
export const expiryOfSuccessor = ({ created_at, expires_at }: Life, now: number): number | null =>
  expires_at === null ? null : now + (expires_at - created_at);

/** Returns when a replaced key expires, which is never later than its own expiry. */
export const endOfOverlap = ({ expires_at }: Life, now: number, overlapMs: number): number =>
  Math.min(expires_at ?? Infinity, now + overlapMs);
