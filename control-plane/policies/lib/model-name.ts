/**
 * Whether a name in a rule matches this model. It matches the model and its variants and versions:
 * `gpt-4o` also matches `gpt-4o-mini` and `gpt-4o:2024-08-06`, but not `gpt-4omni`. It ignores
 * case, because providers accept names in any case.
 */
export function isModel(rule: string, model: string): boolean {
  const [base, name] = [rule.toLowerCase(), model.toLowerCase()];
  return name === base || name.startsWith(`${base}-`) || name.startsWith(`${base}:`);
}

/** Returns the longest matching name, because a variant may have its own rule. */
export const longestMatch = (model: string, rules: readonly string[]): string | undefined =>
  rules
    .filter((rule) => isModel(rule, model))
    .reduce<string | undefined>(
      (a, b) => (a !== undefined && a.length >= b.length ? a : b),
      undefined,
    );
