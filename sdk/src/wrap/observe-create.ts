import type { LlmCall } from '../recording/types.ts';

/** Builds an LLM call from the response of a provider, in one piece or event by event. */
export interface AnswerReader {
  read(answer: unknown): void;
  add(event: unknown): void;
  call(): LlmCall;
}

export interface Watch {
  /** The request body to send instead of the agent's. */
  body: object;
  reader: AnswerReader;
  /** Selects events that exist only because of the changed body, to hide them from the agent. */
  hides?: (event: unknown) => boolean;
  record: (call: LlmCall) => void;
}

type Create = (body: object, ...rest: unknown[]) => unknown;

const observed = new WeakSet<object>();

/**
 * Replaces `create` of a client's resource. On the object itself, because the helper methods of the
 * clients (`stream`, `parse`, tool runners) call it there, too.
 */
export function observeCreate(resource: unknown, watchOf: (body: object) => Watch): void {
  if (typeof resource !== 'object' || resource === null || observed.has(resource)) return;
  const owner = resource as { create?: Create };
  if (typeof owner.create !== 'function') return;
  observed.add(resource);
  const create = owner.create.bind(resource);
  owner.create = (body, ...rest) => {
    const watch = watchOf(body ?? {});
    const startedAt = Date.now();
    const finish = once(() =>
      watch.record({ ...watch.reader.call(), durationMs: Date.now() - startedAt }),
    );
    return onResponse(create(watch.body, ...rest), (value) => readResponse(value, watch, finish));
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

/** The lazy promise of the official clients, which reads the body once, on first use. */
interface ApiPromise {
  parseResponse?: (...args: unknown[]) => Promise<unknown>;
  _thenUnwrap?: (transform: Transform) => unknown;
}
type Transform = (value: unknown, ...more: unknown[]) => unknown;

/**
 * Calls `look` with the response when the agent reads it. Returns the client's own promise, patched
 * at the two methods through which all reads pass.
 */
function onResponse(answer: unknown, look: (value: unknown) => void): unknown {
  const promise = answer as ApiPromise | undefined;
  const { parseResponse, _thenUnwrap } = promise ?? {};
  if (promise && typeof parseResponse === 'function') {
    let looked = false;
    const lookOnce = <T>(value: T): T => {
      if (!looked) look(value);
      looked = true;
      return value;
    };
    promise.parseResponse = async (...args) => lookOnce(await parseResponse.apply(promise, args));
    promise._thenUnwrap = (transform) =>
      _thenUnwrap?.call(promise, (value, ...more) => transform(lookOnce(value), ...more));
    return promise;
  }
  if (!(answer instanceof Promise)) return answer;
  return answer.then((value: unknown) => {
    look(value);
    return value;
  });
}

type Source = () => AsyncIterator<unknown>;

function readResponse(value: unknown, watch: Watch, finish: () => void): void {
  if (typeof value !== 'object' || value === null) return;
  const stream = value as { iterator?: Source; [Symbol.asyncIterator]?: Source };
  if (typeof stream[Symbol.asyncIterator] !== 'function') {
    watch.reader.read(value);
    return finish();
  }
  // All reads of the clients' streams start with `iterator`.
  const key = typeof stream.iterator === 'function' ? 'iterator' : Symbol.asyncIterator;
  const source = (stream[key] as Source).bind(stream);
  stream[key] = () => watchEvents(source(), watch, finish);
}

/**
 * Passes events through. The call is recorded when the stream ends, breaks off, or the agent stops
 * reading. A stream that fails before its first event is a failed call, which is not recorded.
 */
async function* watchEvents(
  events: AsyncIterator<unknown>,
  { reader, hides }: Watch,
  finish: () => void,
): AsyncGenerator {
  let [begun, done] = [false, false];
  try {
    for (;;) {
      const { value, done: ended } = await events.next();
      begun = true;
      done = ended ?? false;
      if (done) return;
      reader.add(value);
      if (!hides?.(value)) yield value;
    }
  } catch (error) {
    done = true;
    throw error;
  } finally {
    if (begun) finish();
    if (!done) await events.return?.();
  }
}
