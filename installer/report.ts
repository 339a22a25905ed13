/** Where building tells how far it is. */
export interface Report {
  /** A stage has begun, or something is worth knowing. */
  say: (line: string) => void;
  /** How much of the current stage is done. */
  advance: (done: number, total: number) => void;
}
