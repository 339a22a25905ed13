interface Paging {
  limit: number;
  offset: number;
}

export interface Page<T> {
  results: T[];
  count: number;
  next: string | null;
  previous: string | null;
}

/** A page of a list, with the absolute addresses of its neighbours. */
export function pageOf<T>(url: URL, { limit, offset }: Paging, found: PageRows<T>): Page<T> {
  const at = (place: Paging): string => {
    const link = new URL(url);
    link.searchParams.set('limit', String(place.limit));
    link.searchParams.set('offset', String(place.offset));
    return link.href;
  };
  // It ends where this page begins: whoever walks back sees nothing twice.
  const before = { limit: Math.min(limit, offset), offset: Math.max(0, offset - limit) };
  return {
    results: found.rows,
    count: found.count,
    next: offset + limit < found.count ? at({ limit, offset: offset + limit }) : null,
    previous: offset > 0 ? at(before) : null,
  };
}

/** What a list query answers: the rows of one page, and how many there are in all. */
export interface PageRows<T> {
  rows: T[];
  count: number;
}
