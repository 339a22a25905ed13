import { createContext, use, useMemo } from 'react';
import { finds, objectsWith } from './parse/text-search.ts';

/** The current search within the values around; undefined without a search. */
export const MatcherContext = createContext<RegExp | undefined>(undefined);

/** Whether a value contains what is being searched for, so that it must be shown. */
export function useIsFound(value: unknown): boolean {
  const matcher = use(MatcherContext);
  return useMemo(() => {
    if (!matcher) return false;
    return typeof value === 'string'
      ? finds(matcher, value)
      : objectsWith(matcher, [value]).size > 0;
  }, [matcher, value]);
}
