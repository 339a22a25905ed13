import { createContext, use, useMemo } from 'react';
import { hasMatch, objectsWithMatch } from './parse/text-search.ts';

/** The current search in the surrounding values; undefined without a search. */
export const MatcherContext = createContext<RegExp | undefined>(undefined);

/** Whether a value contains a match of the current search and must therefore be shown. */
export function useIsFound(value: unknown): boolean {
  const matcher = use(MatcherContext);
  return useMemo(() => {
    if (!matcher) return false;
    return typeof value === 'string'
      ? hasMatch(matcher, value)
      : objectsWithMatch(matcher, [value]).size > 0;
  }, [matcher, value]);
}
