const TAB = 'tab';

/**
 * Parts of the URL of a list that do not belong to a saved view: its page, the row that is open,
 * and the tab that the list is in.
 */
const passing = ['offset', 'open', TAB];

/** The filters and the order in a URL, in a form that can be compared. */
export function viewQueryOf(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of passing) params.delete(name);
  params.sort();
  return params.toString();
}

/** The query of the URL that shows a view, in the tab of the current URL. */
export function searchOf(query: string, current: string): string {
  const tab = new URLSearchParams(current).get(TAB);
  const params = new URLSearchParams(query);
  if (tab !== null) params.set(TAB, tab);
  return params.size > 0 ? `?${params}` : '';
}

/** Is a list opened as it is, without filters, page or row? */
export const isUnfiltered = (search: string): boolean =>
  [...new URLSearchParams(search).keys()].every((name) => name === TAB);
