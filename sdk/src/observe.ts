import { backoffMs } from './delivery/backoff.ts';
import type { AnyFunction, Observe, ObserveOptions } from './observe-options.ts';
import type { ObserveDependencies } from './observe-parts.ts';
import { PolicyViolationError } from './policy-result.ts';
import { isThenable } from './recording/call-in-span.ts';
import type { Run, RunOptions } from './recording/types.ts';
import type { Reporter } from './report.ts';

/** Whether the value is an async generator. Other iterables are treated as plain values. */
export const isAsyncGenerator = (value: unknown): value is AsyncGenerator =>
  Object.prototype.toString.call(value) === '[object AsyncGenerator]';

/** Returns the same generator. Its run lasts until it is exhausted, returned early or fails. */
export function observeGenerator(generator: AsyncGenerator, run: Run): AsyncGenerator {
  async function step(move: () => Promise<IteratorResult<unknown>>) {
    try {
      const result = await run.within(move);
      if (result.done) run.complete();
      return result;
    } catch (error) {
      run.fail(error);
      throw error;
    }
  }
  const next = generator.next.bind(generator);
  const finish = generator.return.bind(generator);
  const fail = generator.throw.bind(generator);
  return Object.assign(generator, {
    next: (...value: [] | [unknown]) => step(() => next(...value)),
    return: (value: unknown) => step(() => finish(value)),
    throw: (error: unknown) => step(() => fail(error)),
  });
}

type Arguments = never[];

/**
 * Creates `observe`. `parts` is called on each call, because functions are often wrapped before
 * `init` is called.
 */
export const createObserve = (parts: () => ObserveDependencies): Observe =>
  ((fn: AnyFunction, options: ObserveOptions | undefined) => {
    const described = options ?? {};
    const isGoverned = described.enforcePolicy === true || described.retryWith !== undefined;
    function observed(this: unknown, ...args: Arguments): unknown {
      const call = (callArgs: Arguments): unknown => fn.apply(this, callArgs);
      if (isGoverned) return callWithPolicyAndRetry(parts(), fn.name, described, call, args);
      return callInRun(parts(), runOptions(parts(), fn.name, described, args), call, args).value;
    }
    return withPropertiesOf(fn, observed);
  }) as Observe;

/** The name, the number of parameters and all else that a program may have set on the function. */
function withPropertiesOf(fn: AnyFunction, observed: AnyFunction): AnyFunction {
  const { prototype: _, arguments: _1, caller: _2, ...own } = Object.getOwnPropertyDescriptors(fn);
  return Object.defineProperties(observed, own);
}

function runOptions(
  { settings, report }: ObserveDependencies,
  fnName: string,
  { perCall, ...options }: ObserveOptions,
  args: Arguments,
): RunOptions {
  const merged = { ...options, ...describeCall(report, perCall, args) };
  return {
    ...merged,
    agentName: merged.agentName ?? (fnName || settings.agentName),
    ...(settings.captureContent && !merged.inputs && { inputs: { arguments: [...args] } }),
  };
}

/** The options of `perCall`. An error in it is reported and does not prevent the call. */
function describeCall(
  report: Reporter,
  perCall: ObserveOptions['perCall'],
  args: Arguments,
): RunOptions | undefined {
  try {
    // Copied inside the try block, because reading the properties may throw.
    return { ...perCall?.(...args) };
  } catch (error) {
    report.problem('invalid', `perCall failed: ${String(error)}`);
    return undefined;
  }
}

/** Starts a run, calls the function inside it, and completes or fails the run. */
function callInRun(
  { settings, startRun }: ObserveDependencies,
  options: RunOptions,
  call: (args: Arguments) => unknown,
  args: Arguments,
): { run: Run; value: unknown } {
  const run = startRun(options);
  const complete = <T>(value: T): T => {
    run.complete(settings.captureContent ? value : undefined);
    return value;
  };
  const fail = (error: unknown): never => {
    run.fail(error);
    throw error;
  };
  let value: unknown;
  try {
    value = run.within(() => call(args));
  } catch (error) {
    return fail(error);
  }
  if (isAsyncGenerator(value)) return { run, value: observeGenerator(value, run) };
  if (value instanceof Promise && value.constructor === Promise)
    return { run, value: value.then(complete, fail) };
  if (isThenable(value)) return { run, value: observeThenable(value, complete, run) };
  return { run, value: complete(value) };
}

/**
 * Returns the same object, because it has more than a promise has, such as `withResponse()` of the
 * official clients, and because a call of `then` may start what it stands for. The run ends with
 * the first `then`, so with an `await`, or when such a client has its response.
 */
function observeThenable<T extends PromiseLike<unknown>>(
  thenable: T,
  complete: (value: unknown) => unknown,
  run: Run,
): T {
  const then = thenable.then.bind(thenable);
  let isAwaited = false;
  const observed: PromiseLike<unknown>['then'] = (onFulfilled, onRejected) => {
    if (isAwaited) return then(onFulfilled, onRejected);
    isAwaited = true;
    return then(
      (value) => {
        complete(value);
        return onFulfilled ? onFulfilled(value) : (value as never);
      },
      (error: unknown) => {
        run.fail(error);
        if (onRejected) return onRejected(error);
        throw error;
      },
    );
  };
  const { responsePromise } = thenable as { responsePromise?: unknown };
  if (responsePromise instanceof Promise)
    responsePromise.then(() => {
      if (!isAwaited) run.complete();
    }, run.fail);
  // oxlint-disable-next-line unicorn/no-thenable -- the object has a `then` already
  return Object.defineProperty(thenable, 'then', { value: observed, configurable: true });
}

async function callWithPolicyAndRetry(
  parts: ObserveDependencies,
  fnName: string,
  options: ObserveOptions,
  call: (args: Arguments) => unknown,
  firstArgs: Arguments,
): Promise<unknown> {
  let args = firstArgs;
  for (let attempt = 0; ; attempt += 1) {
    const described = runOptions(parts, fnName, options, args);
    if (options.enforcePolicy && !(await checkPolicies(parts, described, options.agentId)))
      return undefined;
    const retried = attempt > 0 && { metadata: { ...described.metadata, retry_attempt: attempt } };
    const { run, value } = callInRun(parts, { ...described, ...retried }, call, args);
    const result = await value;
    if (!options.retryWith || isAsyncGenerator(result)) return result;
    const outcome = await run.outcome();
    if (!outcome?.shouldRetry || !outcome.retryFeedback || attempt >= outcome.maxRetries)
      return result;
    args = await options.retryWith(outcome.retryFeedback, ...args);
  }
}

const MAX_CHECKS = 5;

/**
 * Checks the policies. Returns false to skip the call.
 *
 * @throws PolicyViolationError if a policy blocks or throttles the call, or still requests a retry
 * after the last check
 */
async function checkPolicies(
  { checkPolicy, settings }: ObserveDependencies,
  described: RunOptions,
  agentId: string | undefined,
): Promise<boolean> {
  const {
    agentName = '',
    tags: _,
    metadata: _1,
    traceId: _2,
    traceparent: _3,
    ...rest
  } = described;
  const subject = { ...rest, agentName, ...(agentId && { agentId }) };
  for (let attempt = 1; ; attempt += 1) {
    const result = await checkPolicy(subject);
    if (result.action === 'skip') return false;
    if (result.blocked) throw new PolicyViolationError(result);
    if (result.action !== 'retry') return true;
    if (attempt === MAX_CHECKS) throw new PolicyViolationError(result);
    await new Promise((resolve) => {
      setTimeout(resolve, backoffMs(attempt, settings.retryDelayMs));
    });
  }
}
