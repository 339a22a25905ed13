import { useState } from 'react';

export const views = ['formatted', 'json', 'raw'] as const;
export type View = (typeof views)[number];

const KEY = 'gatehouse.messages.view';

/** The view that was chosen last in this browser. If storage is not allowed, the default. */
function remembered(): View {
  try {
    const stored = localStorage.getItem(KEY);
    return views.find((view) => view === stored) ?? 'formatted';
  } catch {
    return 'formatted';
  }
}

function remember(view: View): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {
    // Storage is not allowed: the choice is not remembered.
  }
}

export function useView(): [view: View, choose: (view: View) => void] {
  const [view, setView] = useState(remembered);
  const choose = (view: View) => {
    setView(view);
    remember(view);
  };
  return [view, choose];
}
