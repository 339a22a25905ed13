import { useSyncExternalStore } from 'react';

/** Creates a hook for a width at which the style sheets change the layout. */
function widthOf(query: string): () => boolean {
  const list = matchMedia(query);
  const subscribe = (listener: () => void) => {
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => list.matches);
}

/** Below this width, tables omit their least important columns. */
export const useNarrow = widthOf('(max-width: 1180px)');

/** Below this width, the sidebar is a drawer. */
export const useDrawerSidebar = widthOf('(max-width: 900px)');

/** Below this width, table rows are cards and filters are collapsed. */
export const usePhone = widthOf('(max-width: 700px)');
