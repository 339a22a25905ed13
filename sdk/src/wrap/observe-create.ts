import type { LlmCall } from '../recording/types.ts';

/** Makes an LLM call out of what a provider answers, at once or event by event. */
export interface AnswerReader {
  read(answer: unknown): void;
  add(event: unknown): void;
  call(): LlmCall;
}

export interface Watch {
  /** What is sent instead of what the agent asked for. */
  body: object;
  reader: AnswerReader;
  /** Events that only came because of that: the agent does not see them. */
  hides?: (event: unknown) => boolean;
  record: (call: LlmCall) => void;
}

type Create = (body: object, ...rest: unknown[]) => unknown;

const observed = new WeakSet<object>();

/**
 * Replaces `create` of a client's resource. On the object itself and not around it, because the
 * clients' own conveniences (`stream`, `parse`, tool runners) call it there too.
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
    return onAnswer(create(watch.body, ...rest), (value) => see(value, watch, finish));
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

/** What the official clients return: a promise that reads the body when asked to, and only once. */
interface ApiPromise {
  parseResponse?: (...args: unknown[]) => Promise<unknown>;
  _thenUnwrap?: (transform: Transform) => unknown;
}
type Transform = (value: unknown, ...more: unknown[]) => unknown;

/**
 * Looks at an answer when the agent does. The promise must stay the client's own; all its ways of
 * reading pass through one of two places.
 */
function onAnswer(answer: unknown, look: (value: unknown) => void): unknown {
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

function see(value: unknown, watch: Watch, finish: () => void): void {
  if (typeof value !== 'object' || value === null) return;
  const stream = value as { iterator?: Source; [Symbol.asyncIterator]?: Source };
  if (typeof stream[Symbol.asyncIterator] !== 'function') {
    watch.reader.read(value);
    return finish();
  }
  // All ways of reading the clients' streams start at `iterator`.
  const place = typeof stream.iterator === 'function' ? 'iterator' : Symbol.asyncIterator;
  const source = (stream[place] as Source).bind(stream);
  stream[place] = () => watchEvents(source(), watch, finish);
}

/**
 * The same events; the call is recorded at their end, where they break off, or where the agent stops
 * to read them. One that failed before its first event is a call that failed.
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
