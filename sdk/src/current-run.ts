import type { Run } from './recording/types.ts';

/** The run of the current asynchronous context. */
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
 * Not imported from `node:async_hooks`: the SDK would not load where that does not exist. Node, Bun,
 * Deno and Cloudflare have `process.getBuiltinModule`, other edge runtimes a global. Without it there
 * is no current run, and agents pass run handles explicitly.
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
