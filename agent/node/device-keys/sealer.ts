/** Encrypts a secret so that only this computer can decrypt it. */
export interface Sealer {
  /** Returns the sealed secret as text, or why this computer cannot seal, in one line. */
  seal: (secret: Buffer, signal: AbortSignal) => Promise<{ sealed: string } | { error: string }>;
  unseal: (sealed: string, signal: AbortSignal) => Promise<UnsealResult>;
}

export type UnsealResult =
  | { kind: 'unsealed'; secret: Buffer }
  /** It was sealed by another computer, or its seal on this computer was destroyed: final. */
  | { kind: 'foreign'; reason: string }
  /** This computer has nothing now that could unseal it: final if it stays so. */
  | { kind: 'absent'; reason: string }
  /** It cannot be used now, which means nothing for the secret. */
  | { kind: 'unavailable'; reason: string };

/** The sealer of a computer that binds no keys. */
export const createNoSealer = (reason: string): Sealer => ({
  seal: async () => ({ error: reason }),
  unseal: async () => ({ kind: 'foreign', reason }),
});
