/** A revocation list as it was signed. */
export interface SignedCrl {
  list: Promise<Uint8Array<ArrayBuffer>>;
  /** The number of revocations in it. */
  revocations: number;
  at: number;
}

/** The signed revocation lists by root. */
export type CrlCache = Map<string, SignedCrl>;
