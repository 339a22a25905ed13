import type { Filters } from '../use-filters.ts';

interface ListFilter<Sort extends string> {
  search?: string;
  agent?: string;
  sort?: Sort;
}

/** Filter of the lists of sessions and users, from the URL. Drops unknown sort orders. */
export function listFilterOf<Sort extends string>(
  { get }: Pick<Filters, 'get'>,
  sorts: readonly Sort[],
): ListFilter<Sort> {
  const [search, agent] = [get('search'), get('agent')];
  const sort = sorts.find((name) => name === get('sort'));
  return { ...(search && { search }), ...(agent && { agent }), ...(sort && { sort }) };
}
