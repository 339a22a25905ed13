import { type Description, featuresOf } from './features.ts';
import trained from './weights.json' with { type: 'json' };

const weights: ReadonlyMap<string, number> = new Map(Object.entries(trained.weights));

/**
 * Names that an assistant shares with programs of other makers. Copilot is an assistant of
 * Microsoft and of GitHub, and an app for budgets (https://formulae.brew.sh/cask/copilot-money).
 */
const sharedNames: ReadonlySet<string> = new Set(['copilot']);
/** The domains of the makers of these assistants, reversed. */
const ofMaker = /^com\.(?:microsoft|github)\./i;

const isShared = (name: string): boolean => sharedNames.has(name.trim().toLowerCase());

/**
 * Returns the log-odds that a description is that of a program about AI: above 0 for more likely
 * than not. A linear model: the sum of the weights of the description's features, learned from
 * labelled descriptions (docs/decisions/050-learned-descriptions.md). A shared name alone does not
 * count.
 */
export function aiScore(description: Description): number {
  const { name, summary = '', keywords = [] } = description;
  let score = trained.bias;
  if (isShared(name) && summary === '' && keywords.length === 0) return score;
  for (const feature of featuresOf(description)) score += weights.get(feature) ?? 0;
  return score;
}

/**
 * Whether a description is that of a program about AI. `evidence`: the log-odds of other evidence.
 */
export const isAboutAi = (description: Description, evidence = 0): boolean =>
  aiScore(description) + evidence > 0;

/** A launch agent of macOS is a program without windows: `com.acme.backup.agent`. */
const launchAgent = /^agents?$/i;

/**
 * Whether a bundle id is about AI. It is a reversed domain, and AI companies use the domain of
 * Anguilla. A shared name counts only below the domain of its maker.
 */
export function bundleIdIsAboutAi(id: string): boolean {
  const labels = id.split('.');
  return (
    /^ai\.[\w-]+\./.test(id) ||
    labels.some(
      (label) => label.length > 3 && !launchAgent.test(label) && isAboutAi({ name: label }),
    ) ||
    (labels.some(isShared) && ofMaker.test(id))
  );
}
