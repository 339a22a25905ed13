import { useSyncExternalStore } from 'react';

/** The breakpoint below which the style sheet collapses the sidebar. */
const narrow = matchMedia('(max-width: 1180px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
