/** An order as in the URL: a field, descending with the prefix `-`. */
export interface SortOrder {
  field: string;
  descending: boolean;
}

export const readOrder = (sort: string): SortOrder => ({
  field: sort.replace(/^-/, ''),
  descending: sort.startsWith('-'),
});

const textOf = ({ field, descending }: SortOrder): string => `${descending ? '-' : ''}${field}`;

/**
 * The order after a click on a header: of another column its natural one, of the same column the
 * reverse.
 */
export function orderAfter(current: string, column: { sort: string; descends?: boolean }): string {
  const { field, descending } = readOrder(current);
  if (field === column.sort) return textOf({ field, descending: !descending });
  return textOf({ field: column.sort, descending: column.descends === true });
}

/** For `aria-sort` of the header of a field. */
export function ariaSortOf(current: string, field: string): 'ascending' | 'descending' | 'none' {
  const order = readOrder(current);
  if (order.field !== field) return 'none';
  return order.descending ? 'descending' : 'ascending';
}

/** An order from the URL, if the service knows it; empty for the order without a choice. */
export function sortOf<F extends string>(
  { get }: { get: (name: string) => string },
  fields: readonly F[],
  first: F | `-${F}`,
): { sort?: F | `-${F}` } {
  const sort = fields
    .flatMap((field) => [field, `-${field}`] as const)
    .find((one) => one === get('sort'));
  return sort === undefined || sort === first ? {} : { sort };
}
