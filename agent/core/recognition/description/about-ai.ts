import { type Description, featuresOf } from './features.ts';
import trained from './weights.json' with { type: 'json' };

const weights: ReadonlyMap<string, number> = new Map(Object.entries(trained.weights));

/**
 * Returns the log-odds that a description is that of a program about AI: above 0 for more likely
 * than not. A linear model: the sum of the weights of the description's features, learned from
 * labelled descriptions (docs/decisions/050-learned-descriptions.md).
 */
export function aiScore(description: Description): number {
  let score = trained.bias;
  for (const feature of featuresOf(description)) score += weights.get(feature) ?? 0;
  return score;
}

/**
 * Whether a description is that of a program about AI. `evidence`: the log-odds of other evidence.
 */
export const isAboutAi = (description: Description, evidence = 0): boolean =>
  aiScore(description) + evidence > 0;

/**
 * Whether a bundle id is about AI. It is a reversed domain, and AI companies use the domain of
 * Anguilla.
 */
export const bundleIdIsAboutAi = (id: string): boolean =>
  /^ai\.[\w-]+\./.test(id) ||
  id.split('.').some((label) => label.length > 3 && isAboutAi({ name: label }));
