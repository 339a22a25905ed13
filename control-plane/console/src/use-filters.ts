import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';

type Changes = Record<string, string | readonly string[]>;

export interface Filters {
  /** Empty when not set. */
  get: (name: string) => string;
  /** Of a filter that may be there more than once. */
  all: (name: string) => string[];
  /** Changes some; an empty value removes. Replaces the address rather than adding to history. */
  set: (changes: Changes) => void;
}

/**
 * Filters, tab and page live in the address, so that a link says what its sender saw. Read from
 * the browser: wouter's own decodes twice, and so takes `%2541` for `A`.
 */
export function useFilters(): Filters {
  const params = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  return {
    get: (name) => params.get(name) ?? '',
    all: (name) => params.getAll(name).filter((value) => value !== ''),
    // From the address as it is by then: a field may call late, and after another one.
    set: (changes) => {
      const next = withChanges(new URLSearchParams(location.search), changes).toString();
      navigate(location.pathname + (next ? `?${next}` : ''), { replace: true });
    },
  };
}

/** Another filter means another list: its page starts over. */
export function withChanges(former: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(former);
  if (!('offset' in changes)) next.delete('offset');
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of [value].flat()) if (one !== '') next.append(name, one);
  }
  return next;
}

/** Addresses can be edited by hand: what is not a whole positive number is the first page. */
export function offsetOf(filters: Pick<Filters, 'get'>): number {
  const offset = Number(filters.get('offset'));
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}
