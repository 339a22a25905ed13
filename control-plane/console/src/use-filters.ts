import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';

type Changes = Record<string, string | readonly string[]>;

export interface Filters {
  /** An empty string if the filter is not set. */
  get: (name: string) => string;
  /** All values of a filter that can occur more than once. */
  all: (name: string) => string[];
  /**
   * Updates filters; an empty value removes one. Adds a history entry, unless the change only
   * continues the typing of a text.
   */
  set: (changes: Changes, options?: { replace?: boolean }) => void;
}

/**
 * Filters, tab and page, which are stored in the URL so that links can be shared. Read from the
 * browser, because wouter decodes twice: `%2541` becomes `A`.
 */
export function useFilters(): Filters {
  const params = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  return {
    get: (name) => params.get(name) ?? '',
    all: (name) => params.getAll(name).filter((value) => value !== ''),
    // Based on the current URL, because a debounced field may call this after another filter has
    // changed.
    set: (changes, options) => {
      const current = new URLSearchParams(location.search);
      const next = withChanges(current, changes).toString();
      if (next === current.toString()) return;
      const replace = options?.replace ?? continuesText(current, changes);
      navigate(location.pathname + (next ? `?${next}` : ''), { replace });
    },
  };
}

/** Whether the change only extends or shortens one text at its end. */
export function continuesText(current: URLSearchParams, changes: Changes): boolean {
  const [entry, ...others] = Object.entries(changes);
  if (!entry || others.length > 0) return false;
  const [name, value] = entry;
  const before = current.get(name) ?? '';
  if (typeof value !== 'string' || value === '' || before === '') return false;
  return value.startsWith(before) || before.startsWith(value);
}

/** Applies changes. Resets the offset, because a changed filter results in a different list. */
export function withChanges(current: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(current);
  if (!('offset' in changes)) next.delete('offset');
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of [value].flat()) if (one !== '') next.append(name, one);
  }
  return next;
}

/** The offset from the URL; 0 unless it is a positive integer. */
export function offsetOf(filters: Pick<Filters, 'get'>): number {
  const offset = Number(filters.get('offset'));
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}
