/** Receives the progress of a build. */
export interface Report {
  /** A stage has begun, or a remark. */
  say: (message: string) => void;
  /** Progress of the current stage. */
  advance: (done: number, total: number) => void;
}
