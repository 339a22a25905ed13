import { useState } from 'react';

/** Selected rows by key, or all that a filter matches. */
export interface Selection {
  keys: readonly string[];
  /** Everything that the filter matches, on all pages. */
  isAll: boolean;
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  setAll: (isAll: boolean) => void;
  clear: () => void;
}

/** Another filter (`scope`) selects nothing. */
export function useSelection(scope: string): Selection {
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
