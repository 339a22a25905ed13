import { useState } from 'react';

/** Requests chosen to be decided together. */
export interface Chosen {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  set: (ids: readonly string[]) => void;
  clear: () => void;
}

export function useChosen(): Chosen {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (id) => setIds((ids) => ids.symmetricDifference(new Set([id]))),
    set: (ids) => setIds(new Set(ids)),
    clear: () => setIds(new Set()),
  };
}
