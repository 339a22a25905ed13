import type { RunOptions } from './recording/types.ts';

export type AnyFunction = (...args: never[]) => unknown;

export interface ObserveOptions<Args extends unknown[] = never[]> extends RunOptions {
  /** Tells instances of one agent apart, for policies. */
  agentId?: string;
  /** What differs from call to call: whose session it is, for example. */
  perCall?: (...args: Args) => RunOptions;
  /**
   * Checks the policies first. Block and throttle raise a PolicyViolationError, skip answers
   * undefined without calling the function, retry waits and asks again.
   */
  enforcePolicy?: boolean;
  /**
   * Called when the server wants the run to be tried again: answers the arguments for that, with
   * the feedback put where the function will see it.
   */
  retryWith?: RetryWith<Args>;
}

// Spread, so that an array that is written down there is taken as these very arguments.
type RetryWith<Args extends unknown[]> = (
  feedback: string,
  ...args: Args
) => [...NoInfer<Args>] | Promise<[...NoInfer<Args>]>;

type Governed = { enforcePolicy: true };
type Retried<Args extends unknown[]> = { retryWith: RetryWith<Args> };

/** Wraps a function, so that each call is a run. What it returns and throws stays as it is. */
export interface Observe {
  <This, Args extends unknown[], Result>(
    fn: (this: This, ...args: Args) => Result,
    options: ObserveOptions<Args> & Governed,
  ): (this: This, ...args: Args) => Promise<Awaited<Result> | undefined>;
  <This, Args extends unknown[], Result>(
    fn: (this: This, ...args: Args) => Result,
    options: ObserveOptions<Args> & Retried<Args>,
  ): (this: This, ...args: Args) => Promise<Awaited<Result>>;
  <F extends AnyFunction>(fn: F, options?: ObserveOptions<Parameters<F>>): F;
}
