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
export function pageOf<T>(url: URL, { limit, offset }: Paging, found: Found<T>): Page<T> {
  const at = (position: number): string => {
    const link = new URL(url);
    link.searchParams.set('limit', String(limit));
    link.searchParams.set('offset', String(position));
    return link.href;
  };
  return {
    results: found.rows,
    count: found.count,
    next: offset + limit < found.count ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
  };
}

/** What a list query answers: the rows of one page, and how many there are in all. */
export interface Found<T> {
  rows: T[];
  count: number;
}
