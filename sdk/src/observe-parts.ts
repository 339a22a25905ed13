import type { Settings } from './config.ts';
import type { CheckPolicy } from './policy-result.ts';
import type { Run, RunOptions } from './recording/types.ts';
import type { Reporter } from './report.ts';

/**
 * Returns a value that the process shares. A program may load the package twice, as an ES module
 * and as CommonJS. Both share these values, so that they have one default observer and wrap a
 * client only once.
 */
export function processWide<T>(name: string, create: () => T): T {
  const key = Symbol.for(`svc-observe.v1.${name}`);
  const all = globalThis as { [key: symbol]: T | undefined };
  return (all[key] ??= create());
}

/** The parts of an observer that wrapped functions use. */
export interface ObserveParts {
  settings: Pick<Settings, 'captureContent' | 'agentName' | 'retryDelayMs'>;
  report: Reporter;
  startRun: (options: RunOptions) => Run;
  checkPolicy: CheckPolicy;
}

const partsOf = processWide('parts', () => new WeakMap<object, ObserveParts>());

/** Stores the parts outside the observer, to keep them out of its public interface. */
export function keepObserveParts(observer: object, parts: ObserveParts): void {
  partsOf.set(observer, parts);
}

export const observePartsOf = (observer: object): ObserveParts =>
  partsOf.get(observer) as ObserveParts;
