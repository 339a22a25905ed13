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

/** Returns a page of a list, with the absolute URLs of the adjacent pages. */
export function pageOf<T>(url: URL, { limit, offset }: Paging, result: PageRows<T>): Page<T> {
  const at = (paging: Paging): string => {
    const link = new URL(url);
    link.searchParams.set('limit', String(paging.limit));
    link.searchParams.set('offset', String(paging.offset));
    return link.href;
  };
  // The previous page ends where this one begins, so that paging back repeats no rows.
  const before = { limit: Math.min(limit, offset), offset: Math.max(0, offset - limit) };
  return {
    results: result.rows,
    count: result.count,
    next: offset + limit < result.count ? at({ limit, offset: offset + limit }) : null,
    previous: offset > 0 ? at(before) : null,
  };
}

/** The result of a list query: the rows of one page and the total count. */
export interface PageRows<T> {
  rows: T[];
  count: number;
}
