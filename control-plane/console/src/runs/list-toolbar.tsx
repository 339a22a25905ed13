import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { ListTimes } from '../lists/list-times.ts';
import { TimedRangeField } from '../lists/timed-range-field.tsx';
import { AgentField } from './agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { SearchField } from '../parts/search-field.tsx';
import { Toolbar } from '../parts/toolbar.tsx';

export interface ListFilter<Sort extends string> {
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

interface ListToolbarProps {
  filters: Filters;
  searchLabel: string;
  /** The times of a row that the list can filter by. */
  times: ListTimes;
  /** Controls for the whole list. */
  controls: ReactNode;
}

/** Toolbar of the lists of sessions and users: search by id, agent and time. */
export const ListToolbar = ({ filters, searchLabel, times, controls }: ListToolbarProps) => (
  <Toolbar>
    <SearchField
      label={searchLabel}
      value={filters.get('search')}
      onChange={(search) => filters.set({ search })}
    />
    <AgentField filters={filters} />
    <TimedRangeField filters={filters} times={times} otherwise={t`Any activity`} />
    {controls}
  </Toolbar>
);
