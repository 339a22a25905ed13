import type { Run } from './recording/types.ts';

/** The run that the code which is running now belongs to, also after an `await`. */
export interface CurrentRun {
  get: () => Run | undefined;
  within: <T>(run: Run, work: () => T) => T;
}

interface Storage {
  getStore(): Run | undefined;
  run<T>(store: Run, work: () => T): T;
}
type StorageConstructor = new () => Storage;

/**
 * Importing `node:async_hooks` would keep the SDK from loading where there is none. Node, Bun, Deno
 * and Cloudflare hand it out on request, other edge runtimes have it as a global. Without it there
 * is no current run, and run handles are passed on by hand.
 */
function findStorage(): StorageConstructor | undefined {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks?.AsyncLocalStorage) return hooks.AsyncLocalStorage;
  return (globalThis as { AsyncLocalStorage?: StorageConstructor }).AsyncLocalStorage;
}

export function createCurrentRun(find = findStorage): CurrentRun {
  const Storage = find();
  if (!Storage) return { get: () => undefined, within: (_run, work) => work() };
  const storage = new Storage();
  return {
    get: () => storage.getStore(),
    within: (run, work) => storage.run(run, work),
  };
}
