import type { ReactNode } from 'react';
import { useState } from 'react';
import './chosen-rows.css';

export interface Chosen {
  /** Keys of the selected rows, all of which are on this page. */
  keys: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** Selects all rows of the page, or clears the selection. */
  toggleAll: () => void;
  clear: () => void;
}

/** The rows of a page that are selected for an action. Rows that leave the page are deselected. */
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

/** Sticky bar with actions for the selected rows of a list. */
export const ChosenBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="chosen-bar" role="group" aria-label={label}>
    {children}
  </div>
);
