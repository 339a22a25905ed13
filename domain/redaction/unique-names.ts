import type { JsonLiteral } from './json-literals.ts';

/** Matches the closing `##` of the first placeholder. */
const end = /(?<=##[A-Z][A-Z0-9_]*)##/;

/** The member names of one object, and the last number that was given to each redacted name. */
export interface TakenNames {
  names: Set<string>;
  lastNumbers: Map<string, number>;
}

export const takenNames = (names: Iterable<string> = []): TakenNames => ({
  names: new Set(names),
  lastNumbers: new Map(),
});

/**
 * Returns the redacted name of a member, with a number in its placeholder if the object already has
 * a member of that name. Counting goes on after the last number, so that thousands of secret names
 * in one object take linear time.
 */
export function uniqueName(name: string, redacted: string, taken: TakenNames | undefined): string {
  if (redacted === name || !taken) return redacted;
  let number = taken.lastNumbers.get(redacted) ?? 1;
  let unique = number === 1 ? redacted : numbered(redacted, number);
  while (taken.names.has(unique)) {
    number += 1;
    unique = numbered(redacted, number);
  }
  taken.lastNumbers.set(redacted, number);
  taken.names.add(unique);
  return unique;
}

const numbered = (redacted: string, number: number): string =>
  redacted.replace(end, `_${number}##`);

/** The member names among the literals, grouped by the start of their object. */
export function namesIn<P>(literals: readonly JsonLiteral<P>[]): Map<number, TakenNames> {
  const names = new Map<number, TakenNames>();
  for (const { object, value, isName } of literals) {
    if (!isName) continue;
    const known = names.get(object) ?? takenNames();
    known.names.add(String(value));
    names.set(object, known);
  }
  return names;
}
