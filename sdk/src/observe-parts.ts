import type { Settings } from './config.ts';
import type { CheckPolicy } from './policy-result.ts';
import type { Run, RunOptions } from './recording/types.ts';
import type { Reporter } from './report.ts';

/** The parts of an observer that wrapped functions use. */
export interface ObserveParts {
  settings: Pick<Settings, 'captureContent' | 'agentName' | 'retryDelayMs'>;
  report: Reporter;
  startRun: (options: RunOptions) => Run;
  checkPolicy: CheckPolicy;
}

const partsOf = new WeakMap<object, ObserveParts>();

/** Stored outside the observer to keep them out of its public interface. */
export function keepObserveParts(observer: object, parts: ObserveParts): void {
  partsOf.set(observer, parts);
}

export const observePartsOf = (observer: object): ObserveParts =>
  partsOf.get(observer) as ObserveParts;
