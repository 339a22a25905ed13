import { AgentField } from './agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { SortField } from '../parts/choice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';

interface ListToolbarProps {
  filters: Filters;
  searchLabel: string;
  sorts: Record<string, string>;
  firstSort: string;
}

/** Toolbar of the lists of sessions and users: search by id, agent and time. */
export const ListToolbar = ({ filters, searchLabel, sorts, firstSort }: ListToolbarProps) => (
  <div className="toolbar">
    <SearchField
      label={searchLabel}
      value={filters.get('search')}
      onChange={(search) => filters.set({ search })}
    />
    <AgentField filters={filters} />
    <TimeRangeField filters={filters} />
    <span className="spacer" />
    <SortField names={sorts} first={firstSort} filters={filters} />
  </div>
);
