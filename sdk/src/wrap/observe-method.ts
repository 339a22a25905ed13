import { processSingleton } from '../observe-parts.ts';
import type { LlmCall } from '../recording/types.ts';
import {
  type ActiveObservation,
  type CallObservation,
  startObservation,
} from './call-observation.ts';
import type { CallReader } from './call-reader.ts';
import { observeBody } from './observe-body.ts';
import type { Observer } from '../observer.ts';
import { defaultObserver } from '../default-observer.ts';

type Method = (body: object, ...rest: unknown[]) => unknown;

const observed = processSingleton('observed', () => new WeakMap<object, Set<string>>());

/**
 * Replaces a method of a client's resource. The method of the object itself is replaced, because
 * the helper methods of the clients (`stream`, `parse`, tool runners, chats) call it too.
 */
export function observeMethod(
  resource: unknown,
  name: string,
  createObservation: (body: object) => CallObservation,
): void {
  if (typeof resource !== 'object' || resource === null) return;
  const owner = resource as Record<string, Method | undefined>;
  const original = owner[name];
  if (typeof original !== 'function' || isObserved(resource, name)) return;
  owner[name] = (body, ...rest) => {
    const watch = startObservation(createObservation(body ?? {}));
    return onResponse(original.call(resource, watch.body, ...rest), watch);
  };
}

/** Wraps the clients that `withOptions` derives, each with its own resources. */
export function observeCopies<T extends object>(client: T, wrap: (copy: T) => T): void {
  const owner = client as { withOptions?: (...options: unknown[]) => T };
  const { withOptions } = owner;
  if (typeof withOptions !== 'function' || isObserved(client, 'withOptions')) return;
  owner.withOptions = (...options) => wrap(withOptions.apply(client, options));
}

/** Marks the method as observed. Returns whether it was observed already. */
function isObserved(resource: object, name: string): boolean {
  const names = observed.get(resource) ?? new Set();
  observed.set(resource, names);
  return names.size === names.add(name).size;
}

/** The lazy promise of the official clients, which reads the body only once, on first use. */
interface ApiPromise {
  parse?: () => Promise<unknown>;
  parseResponse?: (...args: unknown[]) => Promise<unknown>;
  asResponse?: () => Promise<unknown>;
  _thenUnwrap?: (transform: Transform) => unknown;
}
type Transform = (value: unknown, ...more: unknown[]) => unknown;

/**
 * Reads the response when the agent does. Returns the client's promise with replaced methods,
 * through which all reads pass.
 */
function onResponse(response: unknown, watch: ActiveObservation): unknown {
  const promise = response as ApiPromise | undefined;
  const { parseResponse, _thenUnwrap } = promise ?? {};
  if (promise && typeof parseResponse === 'function') {
    let hasRead = false;
    const readOnce = <T>(value: T): T => {
      if (!hasRead) readResponse(value, watch);
      hasRead = true;
      return value;
    };
    promise.parseResponse = async (...args) => readOnce(await parseResponse.apply(promise, args));
    promise._thenUnwrap = (transform) =>
      observeReads(
        _thenUnwrap?.call(promise, (value, ...more) => transform(readOnce(value), ...more)),
        watch,
      );
    return observeReads(promise, watch);
  }
  if (!(response instanceof Promise)) return response;
  return response.then(
    (value: unknown) => {
      readResponse(value, watch);
      return value;
    },
    (error: unknown) => {
      watch.fail(error);
      throw error;
    },
  );
}

/**
 * Observes both ways to read a response: `parse`, with which all reads start except `asResponse`.
 * Both fail if the request does.
 */
function observeReads(response: unknown, watch: ActiveObservation): unknown {
  const promise = response as ApiPromise | undefined;
  const { parse, asResponse } = promise ?? {};
  if (!promise || typeof parse !== 'function') return response;
  let isParsed = false;
  promise.parse = () => {
    isParsed = true;
    const parsed = parse.call(promise);
    parsed.catch(watch.fail);
    return parsed;
  };
  if (typeof asResponse !== 'function') return promise;
  let unparsed: Promise<unknown> | undefined;
  promise.asResponse = () => {
    // `withResponse` parses the body, too.
    if (isParsed) return asResponse.call(promise);
    unparsed ??= asResponse.call(promise).then((value) => observeBody(value, watch));
    unparsed.catch(watch.fail);
    return unparsed;
  };
  return promise;
}

type Source = () => AsyncIterator<unknown>;

function readResponse(value: unknown, watch: ActiveObservation): void {
  if (typeof value !== 'object' || value === null) return;
  const stream = value as { iterator?: Source; [Symbol.asyncIterator]?: Source };
  if (typeof stream[Symbol.asyncIterator] !== 'function') {
    watch.reader.read(value);
    return watch.finish();
  }
  // All reads of the clients' streams start with `iterator`.
  const key = typeof stream.iterator === 'function' ? 'iterator' : Symbol.asyncIterator;
  const source = (stream[key] as Source).bind(stream);
  stream[key] = () => observeEvents(source(), watch);
}

/**
 * Passes events through. The call is recorded when the stream ends, breaks off, or the agent stops
 * reading. A stream that fails before its first event is a failed call.
 */
export async function* observeEvents(
  events: AsyncIterator<unknown>,
  watch: ActiveObservation,
): AsyncGenerator {
  const { reader, isHidden } = watch;
  let done = false;
  try {
    for (;;) {
      const { value, done: ended } = await events.next();
      watch.firstAt ??= Date.now();
      done = ended ?? false;
      if (done) return;
      reader.add(value);
      if (!isHidden?.(value)) yield value;
    }
  } catch (error) {
    done = true;
    if (watch.firstAt === undefined) watch.fail(error);
    throw error;
  } finally {
    watch.finish();
    if (!done) await events.return?.();
  }
}

export interface WrapOptions {
  /** Default: the observer of this process. */
  observer?: Observer;
  /** The purpose of the calls. */
  task?: string;
  /** The provider of the calls, if it cannot be derived from the client's URL. */
  provider?: string;
}

/**
 * Assigns a call to the run in which it was made, wherever its response is read. The observer is
 * looked up on each call, because clients are often wrapped before `init` is called.
 */
export const callObserver =
  ({ observer, task, provider }: WrapOptions) =>
  (body: object, reader: CallReader): CallObservation => {
    const own = observer ?? defaultObserver();
    const recorder = own.currentRun() ?? own;
    const parentSpanId = own.currentRun()?.currentSpanId;
    const fixed = {
      ...(task && { task }),
      ...(provider && { provider }),
      ...(parentSpanId && { parentSpanId }),
    };
    return {
      body,
      reader,
      record: (call: LlmCall) => recorder.recordCall({ ...call, ...fixed }),
      recordFailure: (call, error) => recorder.recordFailedCall({ ...call, ...fixed }, error),
    };
  };
