import type { JsonLiteral } from './json-literals.ts';

/** Matches the closing `##` of the first placeholder. */
const end = /(?<=##[A-Z][A-Z0-9_]*)##/;

/**
 * Returns the redacted name of a member, with a number in its placeholder if the object already has
 * a member of that name.
 */
export function uniqueName(name: string, redacted: string, taken: Set<string> | undefined): string {
  if (redacted === name || !taken) return redacted;
  let unique = redacted;
  for (let number = 2; taken.has(unique); number += 1)
    unique = redacted.replace(end, `_${number}##`);
  taken.add(unique);
  return unique;
}

/** The member names among the literals, grouped by the start of their object. */
export function namesIn<P>(literals: readonly JsonLiteral<P>[]): Map<number, Set<string>> {
  const names = new Map<number, Set<string>>();
  for (const { object, value, isName } of literals) {
    if (!isName) continue;
    const known = names.get(object) ?? new Set();
    names.set(object, known.add(String(value)));
  }
  return names;
}
