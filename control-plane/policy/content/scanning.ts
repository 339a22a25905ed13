import { memoize } from '../../lib/memoize.ts';
import type { Situation } from '../category.ts';
import { clip, type Clipped } from './clip.ts';
import type { Violation } from './violations.ts';

/** What one policy looks at in one place, so that large contents do not hold others up. */
const BOUNDS = {
  characters: 200_000,
  labels: 200_000,
  values: 200_000,
  placeholder: '##NOT_SCANNED##',
};

/** One piece of content to be looked at. */
export interface Scan {
  target: Violation['target'];
  /** Does it go to a model, rather than come from one? */
  isInput: boolean;
  clipped: Clipped;
}

/** The content that a situation brings; what is empty is left out. Several policies may ask. */
export const scansOf = memoize(cutOut);

function cutOut({ phase, intent, calls, result, error }: Situation): Scan[] {
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

/** Says of a piece that not all of it was looked at, which is as bad as the worst it may hold. */
export const notScanned = (
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
