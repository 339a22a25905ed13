/**
 * What is kept under these keys, in an order that is the same in every process: of two transactions
 * that write the same rows neither then waits for one that waits for it.
 */
export const sortByKey = <R>(rows: Iterable<readonly [string, R]>): R[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
