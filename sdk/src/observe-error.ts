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

  /** The control plane's reason, as listed in its docs/errors.md. Undefined without a response. */
  readonly reason: string | undefined;

  constructor(code: ProblemCode, message: string, reason?: string) {
    super(message);
    this.name = 'ObserveError';
    this.code = code;
    this.reason = reason;
  }
}
