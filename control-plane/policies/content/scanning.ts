import { memoize } from '../../lib/memoize.ts';
import type { Situation } from '../category.ts';
import { clip, type Clipped } from './clip.ts';
import type { Violation } from './violations.ts';

/** Limits per policy and piece of content, so that large contents do not delay others. */
const BOUNDS = {
  characters: 200_000,
  labels: 200_000,
  values: 200_000,
  placeholder: '##NOT_SCANNED##',
};

/** One piece of content to scan. */
export interface Scan {
  target: Violation['target'];
  /** True if it is sent to a model, false if it was received from one. */
  isInput: boolean;
  clipped: Clipped;
}

/** Returns the non-empty content of a situation. It is cached, because several policies use it. */
export const scansOf = memoize(extractScans);

function extractScans({ phase, intent, calls, result, error }: Situation): Scan[] {
  const scan = (target: Violation['target'], isInput: boolean, value: unknown): Scan => ({
    target,
    isInput,
    clipped: clip(value, BOUNDS),
  });
  const scans =
    phase === 'before_workflow'
      ? [scan('input', true, intent.inputs)]
      : phase === 'mid_execution'
        ? [
            scan(
              'prompt',
              true,
              calls.map(({ prompt }) => prompt),
            ),
            scan(
              'response',
              false,
              calls.map(({ response }) => response),
            ),
          ]
        : [scan('output', false, [result, error])];
  return scans.filter(({ clipped }) => clipped.texts.length > 0 || !clipped.isWhole);
}

/**
 * Reports content that was not fully scanned, with the strictest action that it could have caused.
 */
export const unscannedViolations = (
  { target, clipped }: Scan,
  action: Violation['action'] | undefined,
): Violation[] =>
  clipped.isWhole || action === undefined
    ? []
    : [
        {
          target,
          type: 'not_scanned',
          matched:
            clipped.left > 0 ? `${clipped.left}/${clipped.characters}` : 'names, numbers or values',
          action,
        },
      ];
