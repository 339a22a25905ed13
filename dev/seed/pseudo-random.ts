/** Numbers that look random and are the same at each call. */
export const pseudoRandom = (seed: number, most: number): number =>
  ((seed * 7919 + 104_729) % 9973) % most;
