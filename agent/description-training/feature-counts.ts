import { type Description, featuresOf } from '#agent/core/recognition/description/features.ts';
import type { Weights } from './train.ts';

/** Returns the number of descriptions that have each feature. */
export function countFeatures(descriptions: readonly Description[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const feature of descriptions.flatMap((one) => [...featuresOf(one)]))
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

/** The number of descriptions from which a feature is learned again. */
const ENOUGH = 3;

/**
 * Returns the weights of the features that the descriptions say little about: those that fewer than
 * three of them have.
 */
export function weightsOfRare(
  { bias, weights }: Weights,
  descriptions: readonly Description[],
): Weights {
  const counts = countFeatures(descriptions);
  const rare = Object.entries(weights).filter(([feature]) => (counts.get(feature) ?? 0) < ENOUGH);
  return { bias, weights: Object.fromEntries(rare) };
}
