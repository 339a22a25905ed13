import type { Settings } from './config.ts';
import type { CheckPolicy } from './policy-result.ts';
import type { Run, RunOptions } from './recording/types.ts';
import type { Reporter } from './report.ts';

/**
 * Returns a value that the process shares. A program may load the package twice, as an ES module
 * and as CommonJS. Both share these values, so that they have one default observer and wrap a
 * client only once.
 */
export function processSingleton<T>(name: string, create: () => T): T {
  const key = Symbol.for(`svc-observe.v1.${name}`);
  const all = globalThis as { [key: symbol]: T | undefined };
  return (all[key] ??= create());
}

/** The parts of an observer that wrapped functions use. */
export interface ObserveDependencies {
  settings: Pick<Settings, 'captureContent' | 'agentName' | 'retryDelayMs'>;
  report: Reporter;
  startRun: (options: RunOptions) => Run;
  checkPolicy: CheckPolicy;
}

const dependenciesByObserver = processSingleton(
  'parts',
  () => new WeakMap<object, ObserveDependencies>(),
);

/** Stores the parts outside the observer, to keep them out of its public interface. */
export function storeObserveDependencies(observer: object, parts: ObserveDependencies): void {
  dependenciesByObserver.set(observer, parts);
}

export const observeDependenciesOf = (observer: object): ObserveDependencies =>
  dependenciesByObserver.get(observer) as ObserveDependencies;
