export type ProblemCode =
  | 'unconfigured'
  | 'unreachable'
  | 'refused'
  | 'dropped'
  | 'invalid'
  | 'policy_unchecked';

/** Something that went wrong while observing. The agent is never stopped by it. */
export class ObserveError extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.name = 'ObserveError';
    this.code = code;
  }
}
