import { useState } from 'react';

/** Rows selected by key, or everything that matches a filter. */
export interface FilterSelection {
  keys: readonly string[];
  /** Whether everything that matches the filter is selected, on all pages. */
  isAll: boolean;
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  setAll: (isAll: boolean) => void;
  clear: () => void;
}

/** The selection of a list. A change of the filter (`scope`) clears it. */
export function useFilterSelection(scope: string): FilterSelection {
  const [state, setState] = useState({ scope, keys: new Set<string>(), isAll: false });
  const { keys, isAll } = state.scope === scope ? state : { keys: new Set<string>(), isAll: false };
  const set = (next: { keys: Set<string>; isAll: boolean }) => setState({ scope, ...next });
  return {
    keys: [...keys],
    isAll,
    has: (key) => isAll || keys.has(key),
    toggle: (key) => set({ keys: keys.symmetricDifference(new Set([key])), isAll: false }),
    setAll: (isAll) => set({ keys: new Set(), isAll }),
    clear: () => set({ keys: new Set(), isAll: false }),
  };
}
