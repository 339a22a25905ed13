import { useSearchParams } from 'wouter';

export interface Filters {
  /** Empty when not set. */
  get: (name: string) => string;
  /** Changes some; an empty value removes. Replaces the address rather than adding to history. */
  set: (changes: Record<string, string>) => void;
}

/** Filters, tab and page live in the address, so that a link says what its sender saw. */
export function useFilters(): Filters {
  const [params, setParams] = useSearchParams();
  return {
    get: (name) => params.get(name) ?? '',
    set: (changes) => setParams((former) => withChanges(former, changes), { replace: true }),
  };
}

/** Another filter means another list: its page starts over. */
export function withChanges(
  former: URLSearchParams,
  changes: Record<string, string>,
): URLSearchParams {
  const next = new URLSearchParams(former);
  if (!('offset' in changes)) next.delete('offset');
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Addresses can be edited by hand: what is not a whole positive number is the first page. */
export function offsetOf(filters: Pick<Filters, 'get'>): number {
  const offset = Number(filters.get('offset'));
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}
