import { z } from 'zod';

/** Exact names, or beginnings of names with `*` after them. */
export const nameList = z
  .array(
    z
      .string()
      .max(200)
      .regex(/^(?:\*|[^*]+\*?)$/, 'expected a name, with * at its end only'),
  )
  .max(1000)
  .default([]);

export interface NameLists {
  /** Empty for no bounds. */
  allowed: readonly string[];
  /** Counts before what is allowed. */
  blocked: readonly string[];
}

export interface Refused {
  name: string;
  verdict: 'blocked' | 'not allowed';
}

/** The first that is blocked, else the first that is not allowed. Each has one name or several. */
export function findRefused(
  things: readonly (readonly [name: string, ...others: string[]])[],
  { allowed, blocked }: NameLists,
): Refused | undefined {
  const isBlocked = things.find((names) => isListed(names, blocked));
  if (isBlocked) return { name: isBlocked[0], verdict: 'blocked' };
  if (allowed.length === 0) return undefined;
  const isUnknown = things.find((names) => !isListed(names, allowed));
  return isUnknown && { name: isUnknown[0], verdict: 'not allowed' };
}

const isListed = (names: readonly string[], list: readonly string[]): boolean =>
  list.some((pattern) => names.some((name) => matches(pattern, name)));

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
