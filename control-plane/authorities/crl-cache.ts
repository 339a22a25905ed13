/** A signed revocation list. */
export interface SignedCrl {
  list: Promise<Uint8Array<ArrayBuffer>>;
  /** The number of revocations when it was signed. */
  revocations: number;
  at: number;
}

/** The signed revocation lists by root. */
export type CrlCache = Map<string, SignedCrl>;
