/** A sort order as in the URL: a field name, with the prefix `-` for descending. */
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
 * The sort order after a click on a header: reversed for the current column, otherwise the natural
 * order of the column.
 */
export function toggleSort(current: string, column: { sort: string; descends?: boolean }): string {
  const { field, descending } = readOrder(current);
  if (field === column.sort) return textOf({ field, descending: !descending });
  return textOf({ field: column.sort, descending: column.descends === true });
}

/** Value of `aria-sort` for the header of a field. */
export function ariaSortOf(current: string, field: string): 'ascending' | 'descending' | 'none' {
  const order = readOrder(current);
  if (order.field !== field) return 'none';
  return order.descending ? 'descending' : 'ascending';
}

/** The sort order from the URL; empty if it is the default or unknown to the service. */
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
