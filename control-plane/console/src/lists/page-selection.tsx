import type { ReactNode } from 'react';
import { useState } from 'react';
import './page-selection.css';

export interface PageSelection {
  /** Keys of the selected rows, all of which are on this page. */
  keys: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** Selects all rows of the page, or clears the selection. */
  toggleAll: () => void;
  clear: () => void;
}

/** The rows of a page that are selected for an action. Rows that leave the page are deselected. */
export function usePageSelection(onPage: readonly string[]): PageSelection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const keys = new Set(onPage.filter((key) => selected.has(key)));
  return {
    keys,
    toggle: (key) => setSelected(keys.symmetricDifference(new Set([key]))),
    toggleAll: () => setSelected(keys.size === onPage.length ? new Set() : new Set(onPage)),
    clear: () => setSelected(new Set()),
  };
}

/** Sticky bar with actions for the selected rows of a list. */
export const SelectionBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="selection-bar" role="group" aria-label={label}>
    {children}
  </div>
);
