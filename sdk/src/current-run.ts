import type { Run } from './recording/types.ts';

/** The run of the current asynchronous context, and the span inside it. */
export interface CurrentRun {
  get: () => Run | undefined;
  /** The id of the current span of this run. */
  spanIn: (run: Run) => string | undefined;
  within: <T>(run: Run, work: () => T, spanId?: string) => T;
}

interface ActiveSpan {
  run: Run;
  spanId: string | undefined;
}

interface Storage {
  getStore(): ActiveSpan | undefined;
  run<T>(store: ActiveSpan, work: () => T): T;
}
type StorageConstructor = new () => Storage;

/**
 * Finds AsyncLocalStorage. It is not imported from `node:async_hooks`, because the SDK would not
 * load on platforms without that module. Node, Bun, Deno and Cloudflare have
 * `process.getBuiltinModule`, other edge runtimes have a global. Without AsyncLocalStorage there is
 * no current run, and agents pass run handles explicitly.
 */
function findStorage(): StorageConstructor | undefined {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks?.AsyncLocalStorage) return hooks.AsyncLocalStorage;
  return (globalThis as { AsyncLocalStorage?: StorageConstructor }).AsyncLocalStorage;
}

export function createCurrentRun(find = findStorage): CurrentRun {
  const Storage = find();
  if (!Storage)
    return { get: () => undefined, spanIn: () => undefined, within: (_run, work) => work() };
  const storage = new Storage();
  return {
    get: () => storage.getStore()?.run,
    spanIn: (run) => {
      const place = storage.getStore();
      return place?.run === run ? place.spanId : undefined;
    },
    within: (run, work, spanId) => storage.run({ run, spanId }, work),
  };
}
