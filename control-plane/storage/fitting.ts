/** How many of these sizes, from the first, fit the budget; at least one. */
export function countWithin(sizes: readonly number[], budget: number): number {
  let total = 0;
  const over = sizes.findIndex((size) => (total += size) > budget);
  return over === -1 ? sizes.length : Math.max(1, over);
}
