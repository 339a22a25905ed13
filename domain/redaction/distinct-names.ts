import type { JsonLiteral } from './json-literals.ts';

/** The closing marks of the first placeholder. */
const end = /(?<=##[A-Z][A-Z0-9_]*)##/;

/**
 * The name of a member as it was redacted: with a number in its placeholder where another member of
 * the object is called so.
 */
export function distinct(name: string, redacted: string, taken: Set<string> | undefined): string {
  if (redacted === name || !taken) return redacted;
  let unique = redacted;
  for (let number = 2; taken.has(unique); number += 1)
    unique = redacted.replace(end, `_${number}##`);
  taken.add(unique);
  return unique;
}

/** The names of each object that are among the literals, by where it begins. */
export function namesIn<P>(literals: readonly JsonLiteral<P>[]): Map<number, Set<string>> {
  const names = new Map<number, Set<string>>();
  for (const { object, value, isName } of literals) {
    if (!isName) continue;
    const known = names.get(object) ?? new Set();
    names.set(object, known.add(String(value)));
  }
  return names;
}
