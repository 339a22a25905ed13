import type { ReactNode } from 'react';
import { AgentField } from './agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { SearchField } from '../parts/search-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { Toolbar } from '../parts/toolbar.tsx';

interface ListToolbarProps {
  filters: Filters;
  searchLabel: string;
  /** What acts on the whole list. */
  controls: ReactNode;
}

/** Toolbar of the lists of sessions and users: search by id, agent and time. */
export const ListToolbar = ({ filters, searchLabel, controls }: ListToolbarProps) => (
  <Toolbar>
    <SearchField
      label={searchLabel}
      value={filters.get('search')}
      onChange={(search) => filters.set({ search })}
    />
    <AgentField filters={filters} />
    <TimeRangeField filters={filters} />
    {controls}
  </Toolbar>
);
