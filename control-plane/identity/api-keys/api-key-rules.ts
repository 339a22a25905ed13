interface Life {
  created_at: number;
  expires_at: number | null;
}

/** When a key that takes another's place expires: it lives as long as that one was made for. */
export const expiryOfSuccessor = ({ created_at, expires_at }: Life, now: number): number | null =>
  expires_at === null ? null : now + (expires_at - created_at);

/** When a key that has a successor expires: never later than it would have anyway. */
export const endOfOverlap = ({ expires_at }: Life, now: number, overlapMs: number): number =>
  Math.min(expires_at ?? Infinity, now + overlapMs);
