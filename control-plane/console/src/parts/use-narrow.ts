import { useSyncExternalStore } from 'react';

/** A width of the style sheets below which the layout changes. */
function widthOf(query: string): () => boolean {
  const list = matchMedia(query);
  const subscribe = (listener: () => void) => {
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => list.matches);
}

/** Tables leave out their least important columns. */
export const useNarrow = widthOf('(max-width: 1180px)');

/** The sidebar is a drawer. */
export const useFolded = widthOf('(max-width: 900px)');

/** Rows of tables are cards, and filters are folded. */
export const usePhone = widthOf('(max-width: 700px)');
