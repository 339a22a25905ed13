import type { ReactNode } from 'react';
import { useState } from 'react';
import './chosen-rows.css';

export interface Chosen {
  /** Keys of rows that are on the page. */
  keys: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** Chooses all rows of the page, or none. */
  toggleAll: () => void;
  clear: () => void;
}

/** The rows of a page that are chosen for an action. Rows that are no longer on it are not. */
export function useChosen(onPage: readonly string[]): Chosen {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const keys = new Set(onPage.filter((key) => chosen.has(key)));
  return {
    keys,
    toggle: (key) => setChosen(keys.symmetricDifference(new Set([key]))),
    toggleAll: () => setChosen(keys.size === onPage.length ? new Set() : new Set(onPage)),
    clear: () => setChosen(new Set()),
  };
}

/** Actions on the chosen rows of a list; stays in sight. */
export const ChosenBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="chosen-bar" role="group" aria-label={label}>
    {children}
  </div>
);
