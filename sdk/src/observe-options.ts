import type { RunOptions } from './recording/types.ts';

export type AnyFunction = (...args: never[]) => unknown;

export interface ObserveOptions<Args extends unknown[] = never[]> extends RunOptions {
  /** Identifies an instance of the agent, for policies. */
  agentId?: string;
  /** Options that differ between calls, such as the session. */
  perCall?: (...args: Args) => RunOptions;
  /**
   * Checks the policies before each call. Block and throttle throw a PolicyViolationError, skip
   * returns undefined without calling the function, retry waits and checks again.
   */
  enforcePolicy?: boolean;
  /**
   * Called when the server requests a retry of the run. Returns the arguments of the retry, which
   * should include the feedback.
   */
  retryWith?: RetryWith<Args>;
}

// The parameter is spread so that an array literal is inferred as a tuple of the arguments.
type RetryWith<Args extends unknown[]> = (
  feedback: string,
  ...args: Args
) => [...NoInfer<Args>] | Promise<[...NoInfer<Args>]>;

interface WithPolicyCheck {
  enforcePolicy: true;
}
interface WithRetry<Args extends unknown[]> {
  retryWith: RetryWith<Args>;
}

/** Wraps a function so that each call is a run. Return values and errors do not change. */
export interface Observe {
  <This, Args extends unknown[], Result>(
    fn: (this: This, ...args: Args) => Result,
    options: ObserveOptions<Args> & WithPolicyCheck,
  ): (this: This, ...args: Args) => Promise<Awaited<Result> | undefined>;
  <This, Args extends unknown[], Result>(
    fn: (this: This, ...args: Args) => Result,
    options: ObserveOptions<Args> & WithRetry<Args>,
  ): (this: This, ...args: Args) => Promise<Awaited<Result>>;
  <F extends AnyFunction>(fn: F, options?: ObserveOptions<Parameters<F>>): F;
}
