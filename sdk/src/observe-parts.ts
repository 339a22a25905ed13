import type { Settings } from './config.ts';
import type { CheckPolicy } from './policy-result.ts';
import type { Run, RunOptions } from './recording/types.ts';
import type { Reporter } from './report.ts';

/** What a wrapped function needs of its observer. */
export interface ObserveParts {
  settings: Pick<Settings, 'captureContent' | 'agentName' | 'retryDelayMs'>;
  report: Reporter;
  startRun: (options: RunOptions) => Run;
  checkPolicy: CheckPolicy;
}

const partsOf = new WeakMap<object, ObserveParts>();

/** Kept beside the observer and not in it: nothing that its users should see. */
export function keepObserveParts(observer: object, parts: ObserveParts): void {
  partsOf.set(observer, parts);
}

export const observePartsOf = (observer: object): ObserveParts =>
  partsOf.get(observer) as ObserveParts;
