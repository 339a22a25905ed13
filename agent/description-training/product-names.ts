import { featuresOf } from '#agent/core/recognition/description/features.ts';
import { appCatalog } from '#domain/app-catalog/catalog.ts';
import { countFeatures } from './feature-counts.ts';
import type { Labelled } from './train.ts';

/** The minimum number of descriptions of AI programs that have the name. */
const MIN_MENTIONS = 3;
/** The minimum number of these for each description of another program that has the name. */
const MIN_RATIO = 8;

/** Many MCP servers have the name of a service that is not about AI. */
const namesInCatalog: readonly string[] = [
  ...new Set(appCatalog.flatMap(({ kind, name }) => (kind === 'mcp_server' ? [] : [name]))),
];

/** Returns the feature that a text with the name has: its word, or its pair of words. */
function featureOf(name: string): string | undefined {
  const features = [...featuresOf({ name: '', summary: name })];
  const joined = name.toLowerCase();
  return features.includes(joined) ? joined : undefined;
}

/**
 * Returns examples for names of the catalog for which other programs are made: clients, meters and
 * extensions of an assistant often have no other word about AI. Names that are ordinary words
 * (`continue`, `warp`) are in too many descriptions of other programs, and are omitted.
 */
export function productExamples(
  descriptions: readonly Labelled[],
  names: readonly string[] = namesInCatalog,
): Labelled[] {
  const mentions = countFeatures(descriptions.filter(({ ai }) => ai));
  const others = countFeatures(descriptions.filter(({ ai }) => !ai));
  const isDistinctive = (name: string): boolean => {
    const feature = featureOf(name);
    if (feature === undefined) return false;
    const count = mentions.get(feature) ?? 0;
    return count >= MIN_MENTIONS && count >= MIN_RATIO * (others.get(feature) ?? 0);
  };
  return names
    .filter(isDistinctive)
    .flatMap((name) =>
      [
        { name },
        { name: `${name} Commits` },
        { name: '', summary: name },
        { name: '', summary: `For ${name}` },
        { name: '', summary: `${name} client` },
      ].map((description) => ({ ...description, ai: true })),
    );
}
