import type { Run } from './recording/types.ts';

/** True for async generators only: other iterables are treated as plain values. */
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
