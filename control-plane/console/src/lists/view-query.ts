const TAB = 'tab';

/**
 * URL parameters of a list that are not part of a saved view: the page, the opened row and the tab.
 */
const passing = ['offset', 'open', TAB];

/** The filters and sort order of a URL, in a form that can be compared. */
export function viewQueryOf(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of passing) params.delete(name);
  params.sort();
  return params.toString();
}

/** The URL query that shows a view in the current tab. */
export function searchOf(query: string, current: string): string {
  const tab = new URLSearchParams(current).get(TAB);
  const params = new URLSearchParams(query);
  if (tab !== null) params.set(TAB, tab);
  return params.size > 0 ? `?${params}` : '';
}

/** Whether a list is opened without filters, page or row. */
export const isUnfiltered = (search: string): boolean =>
  [...new URLSearchParams(search).keys()].every((name) => name === TAB);
