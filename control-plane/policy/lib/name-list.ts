import { z } from 'zod';

/** Exact names, or prefixes followed by `*`. */
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
  /** Empty for no restriction. */
  allowed: readonly string[];
  /** Takes precedence over `allowed`. */
  blocked: readonly string[];
}

export interface Refused {
  name: string;
  verdict: 'blocked' | 'not allowed';
}

/** The first blocked item, else the first that is not allowed. An item may have several names. */
export function findRefused(
  items: readonly (readonly [name: string, ...others: string[]])[],
  { allowed, blocked }: NameLists,
): Refused | undefined {
  const isBlocked = items.find((names) => isListed(names, blocked));
  if (isBlocked) return { name: isBlocked[0], verdict: 'blocked' };
  if (allowed.length === 0) return undefined;
  const isUnknown = items.find((names) => !isListed(names, allowed));
  return isUnknown && { name: isUnknown[0], verdict: 'not allowed' };
}

const isListed = (names: readonly string[], list: readonly string[]): boolean =>
  list.some((pattern) => names.some((name) => matches(pattern, name)));

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
