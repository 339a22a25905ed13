import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { actorTypes } from '#contract/audit.ts';
import { apiKeys } from '../data/api-key-sources.ts';
import { managedUsers } from '../data/identity-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import type { Filters } from '../use-filters.ts';

const actorNames = { user: t`Users`, agent: t`API keys`, system: t`System` } as const;

interface AuditToolbarProps {
  filters: Filters;
  /** Actions that occur in the displayed entries. */
  actions: readonly string[];
  controls: ReactNode;
}

export function AuditToolbar({ filters, actions, controls }: AuditToolbarProps) {
  const { data: users = [] } = useQuery(managedUsers());
  const { data: keys = [] } = useQuery(apiKeys());
  const field = (name: string) => ({
    value: filters.get(name),
    onChange: (value: string) => filters.set({ [name]: value }),
  });
  const folded = [filters.get('actor'), filters.get('action')];
  return (
    <FilterToolbar
      more={
        <>
          <Select
            label={t`Actor type`}
            all={t`All actors`}
            options={actorTypes.map((id) => ({ id, name: actorNames[id] }))}
            {...field('actor')}
          />
          <NameField
            label={t`Action, for example policy.*`}
            suggestions={[...actions, ...actions.map((action) => action.replace(/\.[^.]*$/, '.*'))]}
            {...field('action')}
          />
        </>
      }
      count={folded.filter((value) => value !== '').length}
      controls={controls}
    >
      <SearchField
        label={t`Search objects`}
        hint={t`Searches the names of users, API keys, policies, prompts, devices, inventory rules and saved views, and finds any object by its whole id`}
        {...field('object')}
      />
      <NameField
        label={t`Actor`}
        suggestions={[...users.map(({ email }) => email), ...keys.map(({ name }) => name)]}
        {...field('who')}
      />
      <TimeRangeField filters={filters} />
    </FilterToolbar>
  );
}
