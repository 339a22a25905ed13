export type ProblemCode =
  | 'unconfigured'
  | 'unreachable'
  | 'refused'
  | 'dropped'
  | 'invalid'
  | 'policy_unchecked';

/** A problem of the SDK, reported to `onError` and never thrown into the agent. */
export class ObserveError extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.name = 'ObserveError';
    this.code = code;
  }
}
