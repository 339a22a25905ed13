/**
 * Does a name in a rule mean this model? It means itself and its variants and versions: `gpt-4o`
 * is also `gpt-4o-mini` and `gpt-4o:2024-08-06`, but not `gpt-4omni`. Providers take names in any
 * case, so a blocked one has to be found in any.
 */
export function isModel(rule: string, model: string): boolean {
  const [wanted, name] = [rule.toLowerCase(), model.toLowerCase()];
  return name === wanted || name.startsWith(`${wanted}-`) || name.startsWith(`${wanted}:`);
}

/** The longest of the names in a rule that mean the model: a variant may have an entry of its own. */
export const closestTo = (model: string, rules: readonly string[]): string | undefined =>
  rules
    .filter((rule) => isModel(rule, model))
    .reduce<string | undefined>(
      (a, b) => (a !== undefined && a.length >= b.length ? a : b),
      undefined,
    );
