/**
 * An error about a package that cannot be built, signed or trusted. The message is one line, safe
 * for a terminal.
 */
export class InstallerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InstallerError';
  }
}

/** Receives the progress of a build. */
export interface ProgressReporter {
  /** Reports the start of a stage, or a remark. */
  log: (message: string) => void;
  /** Reports the progress of the current stage. */
  advance: (done: number, total: number) => void;
}
