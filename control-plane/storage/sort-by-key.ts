/**
 * Sorts values by key, in the same order in every process: transactions that write the same rows
 * then cannot deadlock.
 */
export const sortByKey = <R>(rows: Iterable<readonly [string, R]>): R[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
