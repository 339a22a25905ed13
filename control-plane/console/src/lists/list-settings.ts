import { useSyncExternalStore } from 'react';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** The stored display settings of a list. */
export interface ListSettings {
  /** Ids of the displayed columns; undefined for the default. */
  columns?: readonly string[];
  density: Density;
}

const KEY = 'gatehouse.lists';
const listeners = new Set<() => void>();
let settings: Readonly<Record<string, ListSettings>> = readSettings(stored());
const initial: ListSettings = { density: 'comfortable' };

/** Parses the stored settings. Invalid parts are dropped: another version may have written them. */
export function readSettings(text: string | null): Record<string, ListSettings> {
  const kept = parsed(text);
  return Object.fromEntries(
    Object.entries(kept).map(([list, value]) => {
      const { columns, density } = (value ?? {}) as Partial<Record<keyof ListSettings, unknown>>;
      const isList = Array.isArray(columns) && columns.every((id) => typeof id === 'string');
      return [
        list,
        {
          density: densities.find((one) => one === density) ?? 'comfortable',
          ...(isList && { columns }),
        },
      ];
    }),
  );
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function changeSettings(list: string, changes: Partial<ListSettings>): void {
  settings = { ...settings, [list]: { ...initial, ...settings[list], ...changes } };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // The browser does not allow storage: the setting lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useListSettings = (list: string): ListSettings =>
  useSyncExternalStore(subscribe, () => settings[list] ?? initial);
